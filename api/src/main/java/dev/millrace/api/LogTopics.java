package dev.millrace.api;

/// Several topics of the log the job runs on that are described alike.
public sealed interface LogTopics permits KafkaTopics, KafkaKeyedTopics {
  TopicChoice choice();

  /// What is said of each of them; its name stands for all.
  LogTopic described();

  /// One of them, to be read; the same object whenever it is asked for.
  Source<?> source(String topic);

  /// One of them, to be written to; the same object whenever it is asked for.
  Sink<?> sink(String topic);
}
