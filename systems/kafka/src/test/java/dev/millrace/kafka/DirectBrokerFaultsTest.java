package dev.millrace.kafka;

import org.junit.jupiter.api.Tag;

/// A broker that stalls, dies and comes back, under requests of our own.
@Tag("thorough")
class DirectBrokerFaultsTest extends BrokerFaultsTest {
  @Override
  DataPlane dataPlane() {
    return DataPlane.DIRECT;
  }
}
