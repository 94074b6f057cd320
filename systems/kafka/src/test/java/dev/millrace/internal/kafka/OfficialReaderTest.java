package dev.millrace.internal.kafka;

import dev.millrace.kafka.DataPlane;
import org.junit.jupiter.api.Tag;

/// Reading by the official clients.
@Tag("thorough")
class OfficialReaderTest extends KafkaReaderTest {
  @Override
  DataPlane dataPlane() {
    return DataPlane.OFFICIAL;
  }

  @Override
  int mostBytes() {
    return 300 << 10;
  }

  @Override
  int fewestBatches() {
    return 40;
  }
}
