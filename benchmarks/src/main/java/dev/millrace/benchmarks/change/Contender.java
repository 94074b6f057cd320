package dev.millrace.benchmarks.change;

import dev.millrace.benchmarks.change.ChangeBenchmark.Setup;
import dev.millrace.benchmarks.process.Child.Program;
import dev.millrace.benchmarks.process.Named;
import dev.millrace.benchmarks.process.Peers;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// An engine as users ask for it.
public enum Contender {
  MILLRACE,
  FLINK,
  KSTREAMS;

  private static final String HEAP = "-Xmx1g";

  /// As it is asked for: `millrace`.
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The one with an id.
  ///
  /// @throws IllegalArgumentException that names those there are
  public static Contender of(String id) {
    return Named.of("engine", id, values(), Contender::id);
  }

  /// @throws IllegalStateException if it was not built
  void requireBuilt(Path home) {
    if (this != MILLRACE) {
      program(home);
    }
  }

  private Program program(Path home) {
    return this == FLINK
        ? Peers.built(
            "Flink",
            home.resolve("benchmarks/flink"),
            "dev.millrace.benchmarks.flink.change.FlinkChange",
            Stream.concat(Stream.of(HEAP), Peers.OPENED.stream()).toList())
        : Peers.built(
            "Kafka Streams",
            home.resolve("benchmarks/kafka-streams"),
            "dev.millrace.benchmarks.kafkastreams.KafkaStreamsChange",
            List.of(HEAP));
  }

  Engine engine(Setup setup, String bootstrap, Path here, Ledger ledger) {
    return switch (this) {
      case MILLRACE -> new MillraceEngine(bootstrap, here, setup.plan(), ledger);
      case FLINK ->
          new PeerEngine(
              id(),
              bootstrap,
              here,
              program(setup.home()),
              List.of(Change.ADD_FIELD, Change.WIDEN_FIELD));
      case KSTREAMS ->
          new PeerEngine(
              id(),
              bootstrap,
              here,
              program(setup.home()),
              List.of(Change.ADD_FIELD, Change.RENAME_OPERATOR));
    };
  }
}
