package dev.millrace.internal.yarn.cluster;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.server.resourcemanager.ResourceManager;

/// HDFS with two data nodes, and a resource manager, in a process of their own.
///
///     HadoopDaemons <directory with the configuration>
public final class HadoopDaemons {
  static final String READY = "READY";
  static final String NAME_NODE_PORT = "test.name-node.port";

  /// Who submits applications.
  static final String USER = "tester";

  private static final int ORPHANED = 99;

  private HadoopDaemons() {}

  public static void main(String[] args) throws Exception {
    endWithFailure();
    YarnConfiguration config = configuration(java.nio.file.Path.of(args[0]));
    endWithParent();
    logIn(config);
    MiniDFSCluster disks =
        new MiniDFSCluster.Builder(config)
            .nameNodePort(config.getInt(NAME_NODE_PORT, 0))
            .numDataNodes(2)
            .build();
    disks.waitActive();
    Path home = new Path("/user", USER);
    disks.getFileSystem().mkdirs(home);
    disks.getFileSystem().setOwner(home, USER, USER);
    ResourceManager manager = new ResourceManager();
    manager.init(config);
    manager.start();
    System.out.println(READY);
  }

  /// The daemons of a cluster that asks for Kerberos are all the same principal.
  private static void logIn(YarnConfiguration config) throws IOException {
    UserGroupInformation.setConfiguration(config);
    if (UserGroupInformation.isSecurityEnabled()) {
      UserGroupInformation.loginUserFromKeytab(
          config.get(YarnConfiguration.RM_PRINCIPAL), config.get(YarnConfiguration.RM_KEYTAB));
    }
  }

  static YarnConfiguration configuration(java.nio.file.Path directory) {
    YarnConfiguration config = new YarnConfiguration();
    for (String name : new String[] {"core-site.xml", "yarn-site.xml"}) {
      config.addResource(new Path(directory.resolve(name).toUri()));
    }
    return config;
  }

  /// Other threads would keep a process that has failed.
  static void endWithFailure() {
    Thread.currentThread()
        .setUncaughtExceptionHandler((_, failure) -> {
          failure.printStackTrace();
          Runtime.getRuntime().halt(1);
        });
  }

  /// Standard input ends with the process that holds its other end.
  static void endWithParent() {
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try {
            while (System.in.read() >= 0) {}
          } catch (IOException e) {
            System.err.println("Standard input cannot be read: " + e.getMessage());
          }
          Runtime.getRuntime().halt(ORPHANED);
        });
  }
}
