package dev.millrace.internal.kafka;

import dev.millrace.kafka.DataPlane;
import org.junit.jupiter.api.Tag;

/// Three brokers in trouble, under the official clients.
@Tag("thorough")
class OfficialThreeBrokersTest extends ThreeBrokersTest {
  @Override
  DataPlane dataPlane() {
    return DataPlane.OFFICIAL;
  }
}
