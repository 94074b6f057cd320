package dev.millrace.benchmarks.nexmark;

import dev.millrace.benchmarks.nexmark.peer.NexmarkWork;
import dev.millrace.benchmarks.process.Child;
import dev.millrace.benchmarks.process.Child.Program;
import dev.millrace.benchmarks.process.Named;
import dev.millrace.benchmarks.process.Peers;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// An engine that answers the queries, each in a process of its own.
public enum NexmarkEngine {
  MILLRACE,
  FLINK;

  /// As it is asked for: `flink`.
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The one with an id.
  ///
  /// @throws IllegalArgumentException that names those there are
  public static NexmarkEngine of(String id) {
    return Named.of("engine", id, values(), NexmarkEngine::id);
  }

  /// Why it does not answer a query; empty if it does.
  Optional<String> cannot(String query) {
    return this == FLINK && query.equals("q6")
        ? Optional.of("Flink's SQL averages no results that change")
        : Optional.empty();
  }

  /// Starts a process that does some work.
  ///
  /// @param heapMb of its JVM
  /// @param directory for what it writes to standard error
  Child start(NexmarkWork work, Path home, int heapMb, Path directory) {
    return Child.start(id(), program(home, heapMb), work.arguments(), directory);
  }

  /// @param home of the working copy that Millrace was built in
  /// @throws IllegalStateException if the engine was not built
  Program program(Path home, int heapMb) {
    String heap = "-Xmx" + heapMb + "m";
    return switch (this) {
      case MILLRACE -> Program.of(MillraceNexmark.class, heap);
      case FLINK ->
          Peers.built(
              "Flink",
              home.resolve("benchmarks/flink"),
              "dev.millrace.benchmarks.flink.nexmark.FlinkNexmark",
              Stream.concat(Stream.of(heap), Peers.OPENED.stream()).toList());
    };
  }
}
