package dev.millrace.benchmarks.process;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.LogDirDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.config.ConfigResource;

/// A topic as its broker has it: how large it is on disk, and what is set of it.
public final class Topic implements AutoCloseable {
  private final Admin admin;
  private final String name;

  public Topic(String bootstrap, String name) {
    this.name = name;
    admin = Admin.create(Map.of("bootstrap.servers", bootstrap));
  }

  /// The bytes of all its partitions on the disks of the brokers, indexes left out.
  public long bytes() throws InterruptedException, ExecutionException {
    List<Integer> brokers = admin.describeCluster().nodes().get().stream().map(Node::id).toList();
    return admin.describeLogDirs(brokers).allDescriptions().get().values().stream()
        .flatMap(directories -> directories.values().stream())
        .map(LogDirDescription::replicaInfos)
        .flatMap(replicas -> replicas.entrySet().stream())
        .filter(replica -> replica.getKey().topic().equals(name))
        .mapToLong(replica -> replica.getValue().size())
        .sum();
  }

  /// Changes settings of it.
  public void set(Map<String, String> settings) throws InterruptedException, ExecutionException {
    admin
        .incrementalAlterConfigs(
            Map.of(
                new ConfigResource(ConfigResource.Type.TOPIC, name),
                settings.entrySet().stream()
                    .map(each ->
                        new AlterConfigOp(
                            new ConfigEntry(each.getKey(), each.getValue()),
                            AlterConfigOp.OpType.SET))
                    .collect(Collectors.toList())))
        .all()
        .get();
  }

  @Override
  public void close() {
    admin.close();
  }
}
