package dev.millrace.cli;

import dev.millrace.internal.kafka.KafkaLog;
import dev.millrace.internal.kafka.client.KafkaLogSettings;
import dev.millrace.kafka.embedded.EmbeddedKafkaProvider;
import dev.millrace.spi.LocalBroker;
import dev.millrace.spi.Log;
import dev.millrace.testkit.disk.Hosts;
import dev.millrace.testkit.sim.CrashSchedule;
import dev.millrace.testkit.sim.Scenario;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// An embedded Kafka that simulated jobs are repeated on, and that is removed with all it has at
/// the end. Thread-safe, but for its end.
final class KafkaSchedules implements AutoCloseable {
  private final SimulationHosts hosts;
  private final Path directory;
  private final LocalBroker broker;
  private final Log log;

  KafkaSchedules(SimulationHosts hosts) {
    this.hosts = hosts;
    try {
      directory = Files.createTempDirectory("millrace-simulate-kafka");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    broker = new EmbeddedKafkaProvider().start(directory.resolve("kafka"), 0);
    log = connect("test");
  }

  private Log connect(String process) {
    return KafkaLog.connect(KafkaLogSettings.of(broker.bootstrapServers(), process));
  }

  /// Runs a seed in real time.
  Scenario.Seen run(Scenario scenario, long seed, CrashSchedule schedule) {
    try (Hosts ofRun = hosts.hosts(seed)) {
      return scenario.runOn(log, this::connect, seed, schedule, ofRun);
    }
  }

  @Override
  public void close() {
    try (log;
        broker) {
      // They are closed in reverse order.
    }
    try (Stream<Path> files = Files.walk(directory)) {
      List<Path> childrenFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : childrenFirst) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
