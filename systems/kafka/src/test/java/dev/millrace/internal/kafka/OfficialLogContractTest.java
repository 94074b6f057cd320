package dev.millrace.internal.kafka;

import dev.millrace.kafka.DataPlane;
import org.junit.jupiter.api.Tag;

/// Kafka by the official clients is a log.
@Tag("thorough")
class OfficialLogContractTest extends KafkaLogContractTest {
  @Override
  DataPlane dataPlane() {
    return DataPlane.OFFICIAL;
  }
}
