package dev.millrace.benchmarks.scenarios;

import dev.millrace.benchmarks.process.Child;
import dev.millrace.benchmarks.process.Child.Program;
import dev.millrace.benchmarks.process.Named;
import dev.millrace.benchmarks.process.Peers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// An engine as the benchmark knows it, in one of its modes: what it cannot do, and how its process
/// is started.
///
/// The engines of others have modules of their own below `benchmarks`, which nothing depends on.
/// Their build leaves the class path in a file.
public enum Contender {
  /// As it is if nothing is said.
  MILLRACE("Millrace", "direct", ""),
  /// With `kafka.data-plane: official`.
  MILLRACE_OFFICIAL("Millrace", "official", ""),
  /// With `placement.exchanges: direct`.
  MILLRACE_DIRECT_EXCHANGES("Millrace", "direct-exchanges", ""),
  /// With `commit.guarantee: at-least-once`.
  MILLRACE_AT_LEAST_ONCE("Millrace", "at-least-once", ""),
  FLINK("Flink", "exactly-once", "flink", "flink.FlinkScenario"),
  KSTREAMS("Kafka Streams", "exactly-once", "kafka-streams", "kafkastreams.KafkaStreamsScenario"),
  KSTREAMS_AT_LEAST_ONCE(
      "Kafka Streams", "at-least-once", "kafka-streams", "kafkastreams.KafkaStreamsScenario"),
  JET("Hazelcast Jet", "exactly-once", "jet", "jet.JetScenario"),
  SAMZA("Samza", "at-least-once", "samza", "samza.SamzaScenario"),
  /// Loops over the official clients: shown, but not an engine.
  BY_HAND("by hand", "exactly-once", "");

  private final String title;
  private final String mode;
  private final String module;
  private final String main;

  Contender(String title, String mode, String module, String... main) {
    this.title = title;
    this.mode = mode;
    this.module = module;
    this.main = String.join("", main);
  }

  /// As it is asked for: `kstreams`.
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public String mode() {
    return mode;
  }

  /// The one with an id.
  ///
  /// @throws IllegalArgumentException that names those there are
  public static Contender of(String id) {
    return Named.of("engine", id, values(), Contender::id);
  }

  /// Why it does not take part in a scenario; empty if it does.
  public Optional<String> cannot(Scenario scenario) {
    return switch (this) {
      case MILLRACE_DIRECT_EXCHANGES ->
          scenario == Scenario.EXCHANGE ? Optional.empty() : Optional.of("has no exchange");
      case MILLRACE_AT_LEAST_ONCE ->
          scenario == Scenario.PASS ? Optional.empty() : Optional.of("differs only in its output");
      case JET -> scenario.onDisk() ? Optional.of("no disk state") : Optional.empty();
      case BY_HAND ->
          scenario == Scenario.COUNT_DISK_CHANGELOG || scenario == Scenario.EXCHANGE
              ? Optional.of("not written by hand")
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  /// Whether it is slow by far in a scenario, and so gets fewer records, or a run would take most
  /// of a day.
  boolean isSlow(Scenario scenario) {
    return switch (this) {
      case MILLRACE, MILLRACE_OFFICIAL, MILLRACE_DIRECT_EXCHANGES, MILLRACE_AT_LEAST_ONCE -> false;
      case KSTREAMS, KSTREAMS_AT_LEAST_ONCE, SAMZA -> true;
      case FLINK, JET, BY_HAND -> scenario.onDisk();
    };
  }

  /// Starts a process that does an assignment.
  ///
  /// @param heapMb of its JVM
  /// @param directory for what it writes to standard error
  /// @param profile the file for a profile of it; null if none is wanted
  Child start(
      Assignment assignment, Path home, int heapMb, Path directory, @Nullable Path profile) {
    Program program = program(home, heapMb);
    if (profile != null) {
      List<String> options = new ArrayList<>(program.options());
      options.add("-D" + ScenarioMain.PROFILE + "=" + profile);
      program = new Program(program.main(), program.classPath(), options);
    }
    return Child.start(id(), program, assignment.arguments(), directory);
  }

  /// @param home of the working copy that Millrace was built in
  /// @throws IllegalStateException if the engine was not built
  Program program(Path home, int heapMb) {
    String heap = "-Xmx" + heapMb + "m";
    return switch (this) {
      case MILLRACE, MILLRACE_OFFICIAL, MILLRACE_DIRECT_EXCHANGES, MILLRACE_AT_LEAST_ONCE ->
          Program.of(MillraceScenario.class, heap);
      case BY_HAND -> Program.of(ByHand.class, heap);
      case FLINK, KSTREAMS, KSTREAMS_AT_LEAST_ONCE, JET, SAMZA ->
          Peers.built(
              title,
              home.resolve("benchmarks").resolve(module),
              "dev.millrace.benchmarks." + main,
              Stream.concat(Stream.of(heap), Peers.OPENED.stream()).toList());
    };
  }
}
