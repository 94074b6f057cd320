package dev.millrace.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Whether the job brings its own Kafka, inside its process. It needs `millrace-kafka-embedded` on
/// the class path.
///
/// @param directory for Kafka's data; null if Kafka runs elsewhere
/// @param port where other programs of this host can reach it; 0 for a free one
public record EmbeddedConfig(@Nullable Path directory, int port) {
  /// Where the data is if a flag names no directory.
  public static final Path DIRECTORY = Path.of("millrace-data", "kafka");

  /// Returns the defaults: no Kafka in this process, and a free port for one.
  public static EmbeddedConfig defaults() {
    return new EmbeddedConfig(null, 0);
  }

  /// Returns a copy with a Kafka in this process; none by default.
  ///
  /// @param newDirectory for its data
  public EmbeddedConfig withDirectory(Path newDirectory) {
    return new EmbeddedConfig(newDirectory, port);
  }

  /// Returns a copy with another port of that Kafka; a free one by default.
  public EmbeddedConfig withPort(int newPort) {
    return new EmbeddedConfig(directory, newPort);
  }
}
