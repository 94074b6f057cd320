package dev.millrace.kafka.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.Uuid;

/// Three brokers on 127.0.0.1, for tests of what happens when some of them go: each is a process of
/// its own that can be stopped, killed, made to stand still and started again, and each is a
/// controller as well. Everything has three replicas, two of which must be in sync.
///
/// They end with this process. Used by one thread.
public final class ThreeBrokers implements AutoCloseable {
  /// How many nodes there are; they are numbered from 0.
  public static final int NODES = 3;

  private static final int PATIENCE_SECONDS = 60;
  private static final List<String> SETTINGS =
      List.of(
          "process.roles=broker,controller",
          "controller.listener.names=CONTROLLER",
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

  /// Where somebody listens on behalf of a broker, such as a proxy.
  @FunctionalInterface
  public interface Door {
    /// Returns the port on 127.0.0.1 by which a client reaches a node.
    ///
    /// @param client its name, one of those that were given
    /// @param node its number
    /// @param port where the node itself listens for that client
    int open(String client, int node, int port) throws IOException;
  }

  private final Path directory;
  private final List<String> clients;
  private final Map<String, int[]> doors = new TreeMap<>();
  private final Map<String, int[]> behind = new TreeMap<>();
  private final String clusterId = Uuid.randomUuid().toString();
  private final int[] ports = new int[NODES];
  private final int[] controllerPorts = new int[NODES];
  private final Process[] processes = new Process[NODES];

  /// Starts them, and waits until they are ready.
  ///
  /// @param directory for their data
  /// @throws IOException if that does not work
  public ThreeBrokers(Path directory) throws IOException {
    this(directory, List.of(), (client, node, port) -> port);
  }

  /// The same, with a door of its own to each node for each of these clients, so that what one of
  /// them sends and receives can be held up or cut.
  ///
  /// @param clients names of capital letters
  public ThreeBrokers(Path directory, List<String> clients, Door door) throws IOException {
    this.directory = directory;
    this.clients = List.copyOf(clients);
    for (String client : clients) {
      doors.put(client, new int[NODES]);
      behind.put(client, new int[NODES]);
    }
    freePorts();
    for (String client : clients) {
      for (int node = 0; node < NODES; node++) {
        port(doors, client)[node] = door.open(client, node, port(behind, client)[node]);
      }
    }
    for (int node = 0; node < NODES; node++) {
      configure(node);
      launch(node);
    }
    for (int node = 0; node < NODES; node++) {
      awaitReady(node);
    }
  }

  private static int[] port(Map<String, int[]> of, String client) {
    return Objects.requireNonNull(of.get(client));
  }

  /// Connections do not get them while a broker is away.
  private void freePorts() throws IOException {
    List<int[]> kinds = new ArrayList<>(behind.values());
    kinds.add(ports);
    kinds.add(controllerPorts);
    for (int[] kind : kinds) {
      for (int node = 0; node < NODES; node++) {
        kind[node] = FreePorts.next();
      }
    }
  }

  private void configure(int node) throws IOException {
    String voters =
        IntStream.range(0, NODES)
            .mapToObj(each -> (each + 1) + "@127.0.0.1:" + controllerPorts[each])
            .collect(Collectors.joining(","));
    StringBuilder listeners = new StringBuilder("PLAINTEXT://127.0.0.1:" + ports[node]);
    StringBuilder advertised = new StringBuilder(listeners);
    StringBuilder protocols = new StringBuilder("PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
    for (String client : clients) {
      String begin = "," + client + "://127.0.0.1:";
      listeners.append(begin).append(port(behind, client)[node]);
      advertised.append(begin).append(port(doors, client)[node]);
      protocols.append(',').append(client).append(":PLAINTEXT");
    }
    List<String> all = new ArrayList<>(SETTINGS);
    all.add("node.id=" + (node + 1));
    all.add("listeners=" + listeners + ",CONTROLLER://127.0.0.1:" + controllerPorts[node]);
    all.add("advertised.listeners=" + advertised);
    all.add("listener.security.protocol.map=" + protocols);
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
            Path.of(property("java.home"), "bin", "java").toString(),
            "-Xmx160m",
            "-XX:TieredStopAtLevel=1",
            "--sun-misc-unsafe-memory-access=allow",
            "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
            "-cp",
            property("java.class.path"),
            BrokerNode.class.getName(),
            properties(node).toString(),
            clusterId);
    processes[node] =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  private static String property(String name) {
    return Objects.requireNonNull(System.getProperty(name), name);
  }

  private void awaitReady(int node) throws IOException {
    String line = processes[node].inputReader().readLine();
    if (!"READY".equals(line)) {
      throw new IOException("Node " + node + " does not start. It printed: " + line);
    }
  }

  /// Returns the bootstrap servers.
  public String servers() {
    return servers(ports);
  }

  /// Returns the bootstrap servers for one of the clients that have doors of their own.
  public String servers(String client) {
    return servers(port(doors, client));
  }

  private static String servers(int[] ports) {
    return IntStream.range(0, NODES)
        .mapToObj(node -> "127.0.0.1:" + ports[node])
        .collect(Collectors.joining(","));
  }

  /// Starts a node again, on its data.
  public void start(int node) throws IOException {
    launch(node);
    awaitReady(node);
  }

  /// Ends it as `kill -9` does.
  public void kill(int node) throws InterruptedException {
    end(node, processes[node].destroyForcibly());
  }

  /// Lets it hand over what it leads, and end.
  public void stop(int node) throws InterruptedException {
    processes[node].destroy();
    end(node, processes[node]);
  }

  private static void end(int node, Process process) throws InterruptedException {
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("Node " + node + " does not end.");
    }
  }

  /// Lets it stand still, by SIGSTOP: its connections stay, and nothing is answered.
  public void freeze(int node) throws IOException, InterruptedException {
    signal(node, "STOP");
  }

  /// Lets it go on that stands still.
  public void thaw(int node) throws IOException, InterruptedException {
    signal(node, "CONT");
  }

  private void signal(int node, String name) throws IOException, InterruptedException {
    String pid = Long.toString(processes[node].pid());
    if (new ProcessBuilder("kill", "-" + name, pid).start().waitFor() != 0) {
      throw new IOException("Node " + node + " takes no SIG" + name + ".");
    }
  }

  /// Ends them all.
  @Override
  public void close() throws InterruptedException {
    for (int node = 0; node < NODES; node++) {
      if (processes[node] != null) {
        kill(node);
      }
    }
  }
}
