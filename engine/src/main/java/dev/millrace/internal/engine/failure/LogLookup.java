package dev.millrace.internal.engine.failure;

import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Split;
import java.util.List;
import java.util.Objects;

/// What a message says of the log as it is now, where that answers.
record LogLookup(Log log) {
  /// How many partitions a topic has; 0 if that is not known.
  int partitions(String topic) {
    try {
      return log.partitions(List.of(topic)).getOrDefault(topic, 0);
    } catch (LogException _) {
      return 0;
    }
  }

  /// The first offset that a split has; -1 if that is not known.
  long start(Split split) {
    try {
      return Objects.requireNonNull(log.offsets(List.of(split)).get(split)).start();
    } catch (LogException _) {
      return -1;
    }
  }
}
