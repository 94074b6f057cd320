package dev.millrace.benchmarks.beam;

import dev.millrace.benchmarks.process.Child.Program;
import dev.millrace.benchmarks.process.Named;
import dev.millrace.benchmarks.process.Peers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// A runner of Beam's pipelines.
public enum BeamRunner {
  MILLRACE,
  FLINK;

  private static final String MAIN = "dev.millrace.benchmarks.beam.peer.BeamNexmark";
  private static final int PARALLELISM = 2;

  /// As it is asked for: `flink`.
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The one with an id.
  ///
  /// @throws IllegalArgumentException that names those there are
  public static BeamRunner of(String id) {
    return Named.of("runner", id, values(), BeamRunner::id);
  }

  /// @param home of the working copy that Millrace was built in
  /// @throws IllegalStateException if it was not built
  Program program(Path home, int heapMb) {
    String heap = "-Xmx" + heapMb + "m";
    return switch (this) {
      case MILLRACE ->
          Peers.built("Beam's Nexmark", home.resolve("benchmarks/beam"), MAIN, List.of(heap));
      case FLINK ->
          Peers.built(
              "Flink's runner",
              home.resolve("benchmarks/beam-flink"),
              MAIN,
              Stream.concat(Stream.of(heap), Peers.OPENED.stream()).toList());
    };
  }

  /// Returns the options of its pipelines: state is on disk, exactly once.
  ///
  /// @param bootstrap of the Kafka that Millrace keeps its changelogs in
  /// @param directory for its state
  List<String> options(String bootstrap, Path directory) {
    List<String> options = new ArrayList<>(List.of("--parallelism=" + PARALLELISM));
    switch (this) {
      case MILLRACE -> {
        options.add("--runner=MillraceRunner");
        options.add("--settings=kafka.bootstrap.servers=" + bootstrap);
        options.add("--settings=state.directory=" + directory);
        options.add("--settings=http.port=-1");
      }
      case FLINK -> {
        options.add("--runner=FlinkRunner");
        options.add("--flinkMaster=[local]");
        options.add("--stateBackend=rocksdb");
        options.add("--stateBackendStoragePath=" + directory.resolve("checkpoints").toUri());
        options.add("--checkpointingInterval=10000");
        options.add("--objectReuse=true");
        options.add("--fasterCopy=true");
        options.add("--shutdownSourcesAfterIdleMs=0");
        options.add("--flinkConfDir=" + settings(directory));
      }
    }
    return options;
  }

  /// Writes Flink's settings, and returns their folder.
  private static Path settings(Path directory) {
    try {
      Files.createDirectories(directory);
      Files.writeString(
          directory.resolve("flink-conf.yaml"),
          """
          state.backend.incremental: true
          taskmanager.memory.managed.size: 512m
          taskmanager.memory.network.max: 256m
          """);
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException("Flink's settings cannot be written: " + e.getMessage(), e);
    }
  }
}
