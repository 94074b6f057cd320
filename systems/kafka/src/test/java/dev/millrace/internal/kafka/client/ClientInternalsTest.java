package dev.millrace.internal.kafka.client;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.spi.LogException;
import java.util.EnumMap;
import java.util.Map;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.utils.AppInfoParser;
import org.junit.jupiter.api.Test;

/// Fails when `kafka-clients` becomes another release, however well all compiles. Then look at
///
/// - what changed in each request below, as the newest version is sent that the broker knows;
/// - the connection layer: that it waits when it is throttled (`ThrottledConnectionsTest`), logs in
///   again (`ReauthenticationTest`), and swallows what the taker of an answer throws;
/// - fetch sessions, and what an answer without a partition means (`DirectPlaneFuzzTest`);
/// - the layout of batches (`BatchDecoderFuzzTest`);
/// - how the coordinator gives out ids (`LostInitializationTest`);
///
/// run these with the tag `thorough`, and change [ClientInternals#RELEASE] and the numbers here.
class ClientInternalsTest {
  private static final Map<ApiKeys, Integer> KNOWN_VERSIONS =
      new EnumMap<>(
          Map.of(
              ApiKeys.API_VERSIONS, 4,
              ApiKeys.METADATA, 13,
              ApiKeys.FETCH, 18,
              ApiKeys.PRODUCE, 13,
              ApiKeys.FIND_COORDINATOR, 6,
              ApiKeys.INIT_PRODUCER_ID, 6,
              ApiKeys.TXN_OFFSET_COMMIT, 5,
              ApiKeys.END_TXN, 5));

  @Test
  void theReleaseIsTheOneThatWasLookedInto() {
    assertDoesNotThrow(() -> ClientInternals.require(AppInfoParser.getVersion()));
  }

  @Test
  void theRequestsAreThoseThatWereLookedInto() {
    Map<ApiKeys, Integer> newest = new EnumMap<>(ApiKeys.class);
    KNOWN_VERSIONS.keySet().forEach(api -> newest.put(api, (int) api.latestVersion()));
    assertEquals(KNOWN_VERSIONS, newest);
  }

  @Test
  void anotherReleaseIsRefusedWithTheWayOut() {
    assertDoesNotThrow(() -> ClientInternals.require("4.3.7"));
    assertDoesNotThrow(() -> ClientInternals.require("unknown"));
    for (String other : new String[] {"4.2.0", "4.4.0", "4.30.1", "5.0"}) {
      LogException refused = assertThrows(LogException.class, () -> ClientInternals.require(other));
      assertEquals(LogException.Kind.REFUSED, refused.kind());
      assertTrue(refused.getMessage().contains(other), refused::getMessage);
      assertTrue(refused.getMessage().contains("data-plane: official"), refused::getMessage);
    }
  }
}
