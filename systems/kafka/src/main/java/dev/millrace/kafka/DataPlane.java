package dev.millrace.kafka;

/// The clients by which records are read from and written to Kafka. The content of the log is the
/// same, so a job may change from one to the other between two runs.
public enum DataPlane {
  /// The official consumer and producer.
  OFFICIAL,
  /// Millrace's own requests in Kafka's protocol, batch by batch, on the connections of the
  /// official clients. They need transactions of version 2 (`transaction.version`).
  DIRECT
}
