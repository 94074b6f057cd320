package dev.millrace.benchmarks.peer;

import dev.millrace.benchmarks.process.Child;
import dev.millrace.benchmarks.process.Child.Program;
import dev.millrace.benchmarks.process.Named;
import dev.millrace.benchmarks.process.Peers;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/// An engine as the benchmark knows it: how its process is started.
public enum Engine {
  /// From its changelog.
  MILLRACE("Millrace", "changelog"),
  /// From snapshots in a folder.
  MILLRACE_SNAPSHOTS("Millrace", "snapshot in a folder"),
  KSTREAMS("Kafka Streams", "changelog"),
  FLINK("Flink", "checkpoint in a folder");

  private static final String HEAP = "-Xmx1g";

  /// Flink reaches into the JDK; this is what its distribution opens, as far as a job like this one
  /// needs it.
  private static final List<String> FLINK_OPTIONS =
      List.of(
          HEAP,
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/java.util=ALL-UNNAMED",
          "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
          "--add-opens=java.base/java.util.concurrent.atomic=ALL-UNNAMED",
          "--add-opens=java.base/java.nio=ALL-UNNAMED",
          "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
          "--add-exports=java.base/sun.net.util=ALL-UNNAMED");

  private final String title;
  private final String restoresFrom;

  Engine(String title, String restoresFrom) {
    this.title = title;
    this.restoresFrom = restoresFrom;
  }

  /// As it is asked for: `kstreams`.
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public String title() {
    return title;
  }

  /// What it brings lost state back from.
  public String restoresFrom() {
    return restoresFrom;
  }

  /// The one with an id.
  ///
  /// @throws IllegalArgumentException that names those there are
  public static Engine of(String id) {
    return Named.of("engine", id, values(), Engine::id);
  }

  /// Starts a process that does some work.
  ///
  /// @param directory for what it writes to standard error
  Child start(Work work, Path home, Path directory) {
    return Child.start(id(), program(home), work.arguments(), directory);
  }

  /// @param home of the working copy that Millrace was built in
  /// @throws IllegalStateException if the engine was not built
  Program program(Path home) {
    return switch (this) {
      case MILLRACE -> Program.of(MillracePeer.FromChangelog.class, HEAP);
      case MILLRACE_SNAPSHOTS -> Program.of(MillracePeer.FromSnapshots.class, HEAP);
      case KSTREAMS ->
          Peers.built(
              title,
              home.resolve("benchmarks/kafka-streams"),
              "dev.millrace.benchmarks.kafkastreams.KafkaStreamsPeer",
              List.of(HEAP));
      case FLINK ->
          Peers.built(
              title,
              home.resolve("benchmarks/flink"),
              "dev.millrace.benchmarks.flink.FlinkPeer",
              FLINK_OPTIONS);
    };
  }
}
