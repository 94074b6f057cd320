package dev.millrace.internal.kafka.write;

import java.time.Duration;
import org.apache.kafka.clients.producer.Producer;

/// Creates Kafka's own producers for a writer.
public interface Producers {
  /// Returns a producer of transactions.
  ///
  /// @param timeout after which the log aborts a transaction
  Producer<byte[], byte[]> transactional(String transactionalId, Duration timeout);

  /// Returns a producer that writes beside the transactions of another.
  ///
  /// @param timeout of those transactions
  Producer<byte[], byte[]> outside(String transactionalId, Duration timeout);
}
