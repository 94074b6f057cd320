package dev.millrace.api;

import dev.millrace.api.serde.Serde;
import org.jspecify.annotations.Nullable;

/// A source or sink that is a topic of the log the job runs on.
public sealed interface LogTopic permits KafkaStream, KafkaKeyedStream {
  TopicSettings settings();

  /// The value that a record without one stands for, in what is read and in what is written; null
  /// if such a record is bad input and nothing writes one.
  @Nullable Object deletion();

  /// What is said of the records that are written, besides their values.
  Written<?, ?> written();

  /// The serde of the same values in state and between tasks, where each has bytes.
  Serde<?> keptSerde();
}
