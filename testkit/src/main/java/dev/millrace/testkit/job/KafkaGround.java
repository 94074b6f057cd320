package dev.millrace.testkit.job;

import dev.millrace.api.StreamApplication;
import dev.millrace.spi.Disks;
import dev.millrace.spi.LocalBroker;
import dev.millrace.spi.Log;
import dev.millrace.testkit.disk.DirectoryHosts;
import dev.millrace.testkit.disk.Hosts;
import dev.millrace.testkit.sim.InputRecord;
import dev.millrace.testkit.sim.RealRun;
import dev.millrace.testkit.sim.RealTopics;
import dev.millrace.testkit.sim.Run;
import dev.millrace.testkit.sim.SimulationSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/// An embedded Kafka and real disks, in real time.
final class KafkaGround implements Ground {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String WRITER = "test-input";

  /// What is to be closed, the last thing first.
  private final Deque<Closing> open = new ArrayDeque<>();

  /// Fails without a checked exception.
  @FunctionalInterface
  private interface Closing extends AutoCloseable {
    @Override
    void close();
  }

  private final Log log;
  private final RealTopics topics;
  private final Run run;

  private KafkaGround(
      StreamApplication application, Shape shape, SimulationSettings settings, Path directory) {
    open.push(() -> remove(directory));
    boolean complete = false;
    try {
      Log.Provider logs = provider(Log.Provider.class, "millrace");
      Disks.Provider disks = provider(Disks.Provider.class, "millrace");
      LocalBroker broker =
          provider(LocalBroker.Provider.class, "millrace-kafka-embedded")
              .start(directory.resolve("kafka"), 0);
      open.push(broker::close);
      String address = broker.bootstrapServers();
      log = logs.connect(address, "test");
      open.push(log::close);
      topics = new RealTopics(log);
      Hosts hosts = new DirectoryHosts(directory.resolve("hosts"), disks::open);
      open.push(hosts::close);
      run =
          new RealRun(
              shape.seed(),
              application,
              settings,
              log,
              process -> logs.connect(address, process),
              hosts);
      open.push(run::endAll);
      complete = true;
    } finally {
      if (!complete) {
        close();
      }
    }
  }

  /// Starts a Kafka, which takes some seconds.
  static KafkaGround start(
      StreamApplication application, Shape shape, SimulationSettings settings) {
    try {
      return new KafkaGround(
          application, shape, settings, Files.createTempDirectory("millrace-test"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static <T> T provider(Class<T> type, String artifact) {
    return ServiceLoader.load(type)
        .findFirst()
        .orElseThrow(() ->
            new IllegalStateException(
                "A test on Kafka needs the artifact '%s' on its class path; add it with scope test."
                    .formatted(artifact)));
  }

  private static void remove(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("The test's directory cannot be removed: " + directory, e);
    }
  }

  @Override
  public Run run() {
    return run;
  }

  @Override
  public Log log() {
    return log;
  }

  @Override
  public void write(List<InputRecord> records) {
    topics.write(WRITER, records);
  }

  /// Time passes by itself.
  @Override
  public void pass(Duration time) {}

  @Override
  public boolean overdue(long steps, Duration time) {
    return time.compareTo(PATIENCE) > 0;
  }

  /// Closes what was opened last first, and all of it whatever fails.
  @Override
  public void close() {
    Closing first = open.pollLast();
    if (first != null) {
      try (first) {
        close();
      }
    }
  }
}
