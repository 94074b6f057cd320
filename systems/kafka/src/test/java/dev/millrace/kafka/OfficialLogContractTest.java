package dev.millrace.kafka;

import org.junit.jupiter.api.Tag;

/// Kafka by the official clients is a log.
@Tag("thorough")
class OfficialLogContractTest extends KafkaLogContractTest {
  @Override
  DataPlane dataPlane() {
    return DataPlane.OFFICIAL;
  }
}
