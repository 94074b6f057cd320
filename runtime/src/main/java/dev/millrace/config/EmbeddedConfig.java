package dev.millrace.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Whether the job brings its own Kafka, inside its process. It needs `millrace-kafka-embedded` on
/// the class path.
///
/// @param directory for Kafka's data; null if Kafka runs elsewhere
/// @param port where other programs of this host can reach it; 0 for a free one
public record EmbeddedConfig(@Nullable Path directory, int port) {
  /// Where the data is if nothing else is said.
  public static final Path DIRECTORY = Path.of("millrace-data", "kafka");

  public static EmbeddedConfig defaults() {
    return new EmbeddedConfig(null, 0);
  }
}
