package dev.millrace.kafka;

import org.junit.jupiter.api.Tag;

/// Writing by requests of our own.
@Tag("thorough")
class DirectWriterTest extends KafkaWriterTest {
  @Override
  DataPlane dataPlane() {
    return DataPlane.DIRECT;
  }
}
