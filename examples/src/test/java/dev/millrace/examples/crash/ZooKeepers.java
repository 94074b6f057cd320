package dev.millrace.examples.crash;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryForever;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingCluster;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.jspecify.annotations.Nullable;

/// ZooKeeper on some servers in this process, of which one at a time may be away, and which is made
/// to lie about who lives.
final class ZooKeepers implements AutoCloseable {
  private static final String ROOT = "/millrace";
  private static final int RETRY_MILLIS = 100;

  private final TestingCluster cluster;
  private final List<InstanceSpec> servers;
  private final CuratorFramework client;
  private final Map<String, Integer> happened = new TreeMap<>();
  private @Nullable InstanceSpec away;

  ZooKeepers(int count) throws Exception {
    cluster = new TestingCluster(count);
    cluster.start();
    servers = new ArrayList<>(cluster.getInstances());
    client =
        CuratorFrameworkFactory.newClient(
            cluster.getConnectString(), new RetryForever(RETRY_MILLIS));
    client.start();
  }

  String connect() {
    return cluster.getConnectString();
  }

  /// Returns how often what has happened.
  Map<String, Integer> happened() {
    return happened;
  }

  /// Perhaps kills a server, or starts the one that was killed, or has a process be called dead or
  /// alive whatever it is.
  void happen(Random random) throws Exception {
    switch (random.nextInt(6)) {
      case 0 -> killOrRestart(random);
      case 1 -> lie(random, false);
      case 2 -> lie(random, true);
      default -> {}
    }
  }

  private void killOrRestart(Random random) throws Exception {
    InstanceSpec back = away;
    if (back == null) {
      away = servers.get(random.nextInt(servers.size()));
      cluster.killServer(away);
      happened.merge("server killed", 1, Integer::sum);
    } else {
      away = null;
      cluster.restartServer(back);
    }
  }

  /// @param stays whether the node of a process does not go when its session ends; otherwise it
  ///   goes before
  private void lie(Random random, boolean stays) throws Exception {
    try {
      String members = ROOT + "/" + client.getChildren().forPath(ROOT).getFirst() + "/members";
      List<String> there = new ArrayList<>(client.getChildren().forPath(members));
      if (there.isEmpty()) {
        return;
      }
      String path = members + "/" + there.get(random.nextInt(there.size()));
      if (stays) {
        client
            .transaction()
            .forOperations(
                client.transactionOp().delete().forPath(path),
                client.transactionOp().create().withMode(CreateMode.PERSISTENT).forPath(path));
      } else {
        client.delete().forPath(path);
      }
      happened.merge(stays ? "called alive for ever" : "called dead", 1, Integer::sum);
    } catch (KeeperException _) {
      // It has gone meanwhile, or a server has.
    }
  }

  @Override
  public void close() throws Exception {
    try (cluster;
        client) {}
  }
}
