package dev.millrace.internal.kafka;

import dev.millrace.kafka.DataPlane;
import org.junit.jupiter.api.Tag;

/// Writing by the official clients.
@Tag("thorough")
class OfficialWriterTest extends KafkaWriterTest {
  @Override
  DataPlane dataPlane() {
    return DataPlane.OFFICIAL;
  }
}
