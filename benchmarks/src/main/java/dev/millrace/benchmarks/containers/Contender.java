package dev.millrace.benchmarks.containers;

import dev.millrace.benchmarks.containers.ContainersBenchmark.Setup;
import dev.millrace.benchmarks.process.Child;
import dev.millrace.benchmarks.process.Child.Program;
import dev.millrace.benchmarks.process.Compilers;
import dev.millrace.benchmarks.process.Peers;
import dev.millrace.benchmarks.report.Names;
import java.nio.file.Path;
import java.util.List;

/// An engine whose processes come and go, with what it shares its tasks out by.
enum Contender {
  MILLRACE("Millrace"),
  KSTREAMS_CLASSIC("Kafka Streams, classic"),
  KSTREAMS_STREAMS("Kafka Streams, streams");

  private static final List<String> HEAP =
      List.of("-Xms32m", "-Xmx160m", "-XX:+UseSerialGC", Compilers.FAST_ONLY);

  private final String title;

  Contender(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  String id() {
    return Names.of(this);
  }

  /// Returns the properties of the broker that it needs, or that are in its favour.
  String[] broker() {
    return switch (this) {
      case MILLRACE -> new String[0];
      // The least session that a broker takes by default, for both.
      case KSTREAMS_CLASSIC -> new String[] {"group.min.session.timeout.ms=6000"};
      case KSTREAMS_STREAMS ->
          new String[] {
            "group.coordinator.rebalance.protocols=classic,consumer,streams",
            "group.streams.min.session.timeout.ms=6000",
            "group.streams.session.timeout.ms=6000",
            "group.streams.min.heartbeat.interval.ms=1000",
            "group.streams.heartbeat.interval.ms=1000"
          };
    };
  }

  /// @throws IllegalStateException if it was not built
  void requireBuilt(Path home) {
    if (this != MILLRACE) {
      program(home);
    }
  }

  private static Program program(Path home) {
    return Peers.built(
        "Kafka Streams",
        home.resolve("benchmarks/kafka-streams"),
        "dev.millrace.benchmarks.kafkastreams.KafkaStreamsContainer",
        HEAP);
  }

  /// Starts a process with a state directory of its own.
  Child start(int slot, String bootstrap, Path directory, Setup setup) {
    if (this == MILLRACE) {
      return Fleet.process(slot, bootstrap, directory, setup.fleet(0, true));
    }
    return Child.start(
        "container-" + slot,
        program(setup.home()),
        List.of(
            bootstrap,
            CountedEvents.INPUT,
            CountedEvents.OUTPUT,
            directory.resolve("state-" + slot).toString(),
            this == KSTREAMS_CLASSIC ? "classic" : "streams",
            Integer.toString(setup.commitMillis())),
        directory);
  }
}
