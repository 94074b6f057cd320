package dev.millrace.internal.kafka;

import dev.millrace.kafka.DataPlane;
import org.junit.jupiter.api.Tag;

/// Three brokers in trouble, under requests of our own.
@Tag("thorough")
class DirectThreeBrokersTest extends ThreeBrokersTest {
  @Override
  DataPlane dataPlane() {
    return DataPlane.DIRECT;
  }
}
