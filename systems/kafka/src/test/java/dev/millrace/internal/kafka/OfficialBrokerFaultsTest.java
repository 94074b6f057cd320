package dev.millrace.internal.kafka;

import dev.millrace.kafka.DataPlane;
import org.junit.jupiter.api.Tag;

/// A broker that stalls, dies and comes back, under the official clients.
@Tag("thorough")
class OfficialBrokerFaultsTest extends BrokerFaultsTest {
  @Override
  DataPlane dataPlane() {
    return DataPlane.OFFICIAL;
  }
}
