package dev.millrace.testkit.job;

/// What the job of a test runs on.
public enum On {
  /// Models of Kafka and of the disks, in one thread and in virtual time: a run takes milliseconds,
  /// and the same seed gives the same run.
  VIRTUAL_TIME,
  /// An embedded Kafka for the job, which takes some seconds to start, RocksDB, and real time.
  /// Needs `millrace` and `millrace-kafka-embedded` on the class path.
  KAFKA
}
