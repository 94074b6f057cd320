package dev.millrace.api;

/// A source or sink that is a topic of the log the job runs on.
public sealed interface LogTopic permits KafkaStream, KafkaKeyedStream {
  TopicSettings settings();
}
