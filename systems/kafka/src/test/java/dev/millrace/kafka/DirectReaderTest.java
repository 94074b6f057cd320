package dev.millrace.kafka;

import org.junit.jupiter.api.Tag;

/// Reading by requests of our own.
@Tag("thorough")
class DirectReaderTest extends KafkaReaderTest {
  @Override
  DataPlane dataPlane() {
    return DataPlane.DIRECT;
  }

  /// Kafka's batches are not divided: one more may come to what is nearly enough.
  @Override
  int mostBytes() {
    return 600 << 10;
  }

  @Override
  int fewestBatches() {
    return 20;
  }
}
