package dev.millrace.internal.yarn.cluster;

import java.nio.file.Path;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.nodemanager.NodeManager;

/// A node manager in a process of its own.
///
///     NodeDaemon <directory with the configuration> <host> <its address> <directory for its work>
public final class NodeDaemon {
  private NodeDaemon() {}

  public static void main(String[] args) {
    HadoopDaemons.endWithFailure();
    YarnConfiguration config = HadoopDaemons.configuration(Path.of(args[0]));
    String host = args[1];
    String address = args[2];
    Path work = Path.of(args[3]);
    HadoopDaemons.endWithParent();
    UserGroupInformation.setConfiguration(config);
    config.set(YarnConfiguration.NM_ADDRESS, host + ":0");
    config.set(YarnConfiguration.NM_BIND_HOST, address);
    config.set(YarnConfiguration.NM_LOCALIZER_ADDRESS, host + ":0");
    config.set(YarnConfiguration.NM_WEBAPP_ADDRESS, host + ":0");
    config.set(YarnConfiguration.NM_COLLECTOR_SERVICE_ADDRESS, host + ":0");
    config.set(YarnConfiguration.NM_LOCAL_DIRS, work.resolve("local").toString());
    config.set(YarnConfiguration.NM_LOG_DIRS, work.resolve("logs").toString());
    NodeManager node = new NodeManager();
    node.init(config);
    node.start();
    System.out.println(HadoopDaemons.READY);
  }
}
