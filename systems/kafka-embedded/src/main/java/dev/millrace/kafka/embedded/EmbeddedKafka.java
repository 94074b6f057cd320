package dev.millrace.kafka.embedded;

import static dev.millrace.kafka.embedded.EmbeddedKafkaException.Kind.BROKER_FAILED;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A Kafka broker inside this process: one node, broker and controller, on 127.0.0.1, with its data
/// in a directory that it alone may use. Acknowledged records survive the end of the process, also
/// by `kill -9`; they are not synced to disk at every write, so they may not survive a power
/// failure.
///
/// Topics are not created automatically. Internal topics have one replica and four partitions, and
/// every feature of a new cluster is at its latest level, so transactions have protocol version 2.
/// **Records are kept for Kafka's default of seven days, counted from their own timestamps**: a
/// topic for older events needs `retention.ms=-1`.
///
/// Thread-safe. Several brokers can run in one process, on different directories. The broker's
/// threads keep the process alive until [#close].
public final class EmbeddedKafka implements AutoCloseable {
  private final DataDirectory directory;
  private final LoopbackSockets sockets;
  private final BrokerThreads threads;
  private final Broker broker;
  private final String clusterId;
  private final boolean isNew;
  private final String bootstrapServers;
  private boolean closed;

  private EmbeddedKafka(
      DataDirectory directory, LoopbackSockets sockets, BrokerThreads threads, Prepared prepared) {
    this.directory = directory;
    this.sockets = sockets;
    this.threads = threads;
    this.broker = prepared.broker;
    this.clusterId = prepared.clusterId;
    this.isNew = prepared.isNew;
    this.bootstrapServers = LoopbackSockets.HOST + ":" + sockets.brokerPort();
  }

  /// @param dataDirectory created if it is missing, for its owner only; holds the broker's files
  ///   alone
  public static Builder builder(Path dataDirectory) {
    return new Builder(dataDirectory);
  }

  /// Returns the `bootstrap.servers` for clients: 127.0.0.1 and the port.
  public String bootstrapServers() {
    return bootstrapServers;
  }

  /// Returns the id of the cluster, which is the same at every start with the same directory.
  public String clusterId() {
    return clusterId;
  }

  /// Returns whether the directory held no cluster before this start.
  public boolean isNew() {
    return isNew;
  }

  /// Returns why the broker has failed, if it has, for example because of a full or lost disk. It
  /// must still be closed.
  public Optional<EmbeddedKafkaException> failure() {
    return threads.failure();
  }

  /// Stops the broker, waits for it and frees the ports and the directory. Does nothing the second
  /// time.
  ///
  /// @throws EmbeddedKafkaException if a part did not stop cleanly; everything is freed
  ///   nevertheless
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try (directory;
        sockets) {
      threads.stop(broker::stop);
    } catch (ExecutionException e) {
      throw failed(directory, "did not stop cleanly", e.getCause());
    }
  }

  private static EmbeddedKafka start(
      DataDirectory directory, LoopbackSockets sockets, BrokerThreads threads, Builder builder) {
    Prepared prepared;
    try {
      prepared = threads.start(() -> prepare(directory, sockets, threads, builder));
    } catch (ExecutionException e) {
      throw failed(directory, "cannot be set up", e.getCause());
    }
    try {
      threads.start(start(prepared.broker, threads));
      return new EmbeddedKafka(directory, sockets, threads, prepared);
    } catch (ExecutionException e) {
      Optional<EmbeddedKafkaException> failure = threads.failure();
      EmbeddedKafkaException failed =
          failure.isPresent() ? failure.get() : failed(directory, "did not start", e.getCause());
      try {
        threads.stop(prepared.broker::stop);
      } catch (ExecutionException second) {
        failed.addSuppressed(failed(directory, "did not stop cleanly", second.getCause()));
      }
      throw failed;
    }
  }

  private static Prepared prepare(
      DataDirectory directory, LoopbackSockets sockets, BrokerThreads threads, Builder builder)
      throws Exception {
    String known = directory.clusterId();
    String clusterId = known == null ? directory.format() : known;
    Map<String, String> settings =
        BrokerSettings.of(
            directory.logDirectory(),
            sockets.brokerPort(),
            sockets.controllerPort(),
            builder.properties);
    boolean afterCrash = known != null && !directory.wasClosedCleanly();
    var broker = new Broker(settings, sockets, threads, afterCrash);
    return new Prepared(broker, clusterId, known == null);
  }

  private static Callable<@Nullable Object> start(Broker broker, BrokerThreads threads) {
    return () -> {
      broker.start();
      if (threads.failure().isPresent()) {
        throw threads.failure().get();
      }
      return null;
    };
  }

  private static EmbeddedKafkaException failed(
      DataDirectory directory, String what, @Nullable Throwable cause) {
    if (cause instanceof EmbeddedKafkaException exception) {
      return exception;
    }
    return new EmbeddedKafkaException(
        BROKER_FAILED,
        "The embedded broker in '%s' %s: %s".formatted(directory.path(), what, cause),
        cause);
  }

  private record Prepared(Broker broker, String clusterId, boolean isNew) {}

  /// Settings of a broker, which are chosen before the start. Not thread-safe.
  public static final class Builder {
    private final Path dataDirectory;
    private final Map<String, String> properties = new TreeMap<>();
    private int port;
    private Consumer<EmbeddedKafkaException> onFailure = failure -> {};

    private Builder(Path dataDirectory) {
      this.dataDirectory = dataDirectory;
    }

    /// @param port where clients connect; 0, the default, for a free port
    public Builder port(int port) {
      if (port < 0 || port > 65_535) {
        throw new IllegalArgumentException("A port must be from 0 to 65535, but is " + port + ".");
      }
      this.port = port;
      return this;
    }

    /// Sets one of the broker's properties, for this start.
    ///
    /// @throws IllegalArgumentException if a broker has no such property, or an embedded broker
    ///   fixes it
    public Builder property(String name, String value) {
      BrokerSettings.check(name);
      properties.put(name, value);
      return this;
    }

    /// @param listener called at most once, when the broker fails, on one of its threads, so it
    ///   must not close the broker itself. The failure is logged in any case.
    public Builder onFailure(Consumer<EmbeddedKafkaException> listener) {
      this.onFailure = listener;
      return this;
    }

    /// Starts the broker and waits until clients can connect, which takes a few seconds.
    ///
    /// @throws EmbeddedKafkaException if it does not start; nothing is left running or locked
    public EmbeddedKafka start() {
      boolean started = false;
      DataDirectory directory = DataDirectory.open(dataDirectory);
      try {
        LoopbackSockets sockets = LoopbackSockets.bind(port);
        try {
          var threads = new BrokerThreads(directory.path(), onFailure);
          EmbeddedKafka kafka = EmbeddedKafka.start(directory, sockets, threads, this);
          started = true;
          return kafka;
        } finally {
          if (!started) {
            sockets.close();
          }
        }
      } finally {
        if (!started) {
          directory.close();
        }
      }
    }
  }
}
