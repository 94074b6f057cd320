package dev.millrace.kafka;

/// How records move between this process and Kafka. What lies in the log is the same; a job may
/// change from one to the other between two runs.
public enum DataPlane {
  /// The official consumer and producer.
  OFFICIAL,
  /// Kafka's protocol, batch by batch, on the connections of the official clients. Needs
  /// transactions of version 2 (`transaction.version`).
  DIRECT
}
