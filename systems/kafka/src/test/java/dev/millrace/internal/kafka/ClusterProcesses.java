package dev.millrace.internal.kafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.Uuid;

/// Three brokers on 127.0.0.1, each a process of its own that can be stopped, killed and started
/// again; each is a controller as well. Everything has three replicas, two of which must be in
/// sync.
final class ClusterProcesses implements AutoCloseable {
  static final int NODES = 3;
  private static final int PATIENCE_SECONDS = 60;
  private static final List<String> SETTINGS =
      List.of(
          "process.roles=broker,controller",
          "controller.listener.names=CONTROLLER",
          "listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
          "inter.broker.listener.name=PLAINTEXT",
          "auto.create.topics.enable=false",
          "default.replication.factor=3",
          "min.insync.replicas=2",
          "offsets.topic.replication.factor=3",
          "offsets.topic.num.partitions=3",
          "transaction.state.log.replication.factor=3",
          "transaction.state.log.min.isr=2",
          "transaction.state.log.num.partitions=3",
          "share.coordinator.state.topic.replication.factor=3",
          "share.coordinator.state.topic.num.partitions=1",
          "group.initial.rebalance.delay.ms=0",
          "add.partitions.to.txn.retry.backoff.ms=1",
          "broker.session.timeout.ms=3000",
          "broker.heartbeat.interval.ms=500",
          "replica.lag.time.max.ms=3000",
          "auto.leader.rebalance.enable=false",
          "num.network.threads=2",
          "num.io.threads=4",
          "background.threads=2",
          "log.cleaner.dedupe.buffer.size=8388608");

  private final Path directory;
  private final String clusterId = Uuid.randomUuid().toString();
  private final int[] ports = new int[NODES];
  private final int[] controllerPorts = new int[NODES];
  private final Process[] processes = new Process[NODES];

  ClusterProcesses(Path directory) throws IOException {
    this.directory = directory;
    freePorts();
    for (int node = 0; node < NODES; node++) {
      configure(node);
      launch(node);
    }
    for (int node = 0; node < NODES; node++) {
      awaitReady(node);
    }
  }

  /// Somebody may take one before its broker does; then the broker says so and the test fails.
  private void freePorts() throws IOException {
    List<ServerSocket> held = new ArrayList<>();
    for (int node = 0; node < NODES; node++) {
      for (int[] kind : List.of(ports, controllerPorts)) {
        ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        held.add(socket);
        kind[node] = socket.getLocalPort();
      }
    }
    for (ServerSocket socket : held) {
      socket.close();
    }
  }

  private void configure(int node) throws IOException {
    String voters =
        IntStream.range(0, NODES)
            .mapToObj(each -> (each + 1) + "@127.0.0.1:" + controllerPorts[each])
            .collect(Collectors.joining(","));
    String broker = "PLAINTEXT://127.0.0.1:" + ports[node];
    List<String> all = new ArrayList<>(SETTINGS);
    all.add("node.id=" + (node + 1));
    all.add("listeners=" + broker + ",CONTROLLER://127.0.0.1:" + controllerPorts[node]);
    all.add("advertised.listeners=" + broker);
    all.add("controller.quorum.voters=" + voters);
    all.add("log.dirs=" + directory.resolve("node-" + (node + 1)));
    Files.write(properties(node), all);
  }

  private Path properties(int node) {
    return directory.resolve("node-" + (node + 1) + ".properties");
  }

  private void launch(int node) throws IOException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx160m",
            "-XX:TieredStopAtLevel=1",
            "--sun-misc-unsafe-memory-access=allow",
            "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
            "-cp",
            System.getProperty("java.class.path"),
            ClusterNode.class.getName(),
            properties(node).toString(),
            clusterId);
    processes[node] =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private void awaitReady(int node) throws IOException {
    assertEquals("READY", processes[node].inputReader().readLine(), "node " + (node + 1));
  }

  String servers() {
    return IntStream.range(0, NODES)
        .mapToObj(node -> "127.0.0.1:" + ports[node])
        .collect(Collectors.joining(","));
  }

  /// Starts a node again, on its data.
  void start(int node) throws IOException {
    launch(node);
    awaitReady(node);
  }

  /// Ends it as `kill -9` does.
  void kill(int node) throws InterruptedException {
    end(node, processes[node].destroyForcibly());
  }

  /// Lets it hand over what it leads, and end.
  void stop(int node) throws InterruptedException {
    processes[node].destroy();
    end(node, processes[node]);
  }

  private static void end(int node, Process process) throws InterruptedException {
    assertTrue(
        process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS),
        () -> "Node " + (node + 1) + " does not end.");
  }

  /// Lets it stand still, or go on.
  void signal(int node, String name) throws IOException, InterruptedException {
    String pid = Long.toString(processes[node].pid());
    assertEquals(0, new ProcessBuilder("kill", "-" + name, pid).start().waitFor());
  }

  @Override
  public void close() throws InterruptedException {
    for (int node = 0; node < NODES; node++) {
      if (processes[node] != null) {
        kill(node);
      }
    }
  }
}
