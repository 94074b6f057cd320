package dev.millrace.kafka;

import org.junit.jupiter.api.Tag;

/// Writing by the official clients.
@Tag("thorough")
class OfficialWriterTest extends KafkaWriterTest {
  @Override
  DataPlane dataPlane() {
    return DataPlane.OFFICIAL;
  }
}
