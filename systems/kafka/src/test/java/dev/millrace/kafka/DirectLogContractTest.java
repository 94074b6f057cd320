package dev.millrace.kafka;

import org.junit.jupiter.api.Tag;

/// Kafka by requests of our own is a log.
@Tag("thorough")
class DirectLogContractTest extends KafkaLogContractTest {
  @Override
  DataPlane dataPlane() {
    return DataPlane.DIRECT;
  }
}
