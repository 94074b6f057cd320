package dev.millrace.internal.engine.time;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ExchangeTimeTest {
  /// Pinned: exchanges hold these, and a job that is started again reads them.
  @Test
  void theUsualTimeStandsAsItIsAndOneBefore1970AboveAllOfThem() {
    assertForm(0, 0);
    assertForm(1, 1);
    assertForm(1_700_000_000_000L, 1_700_000_000_000L);
    assertForm(-1, 0x7FFF_FFFF_FFFF_FFFFL);
    assertForm(-2, 0x7FFF_FFFF_FFFF_FFFEL);
    assertForm(-62_135_596_800_000L, 0x7FFF_C77C_EDD3_2800L);
    assertForm(ExchangeTime.LATEST, 0x3FFF_FFFF_FFFF_FFFFL);
    assertForm(ExchangeTime.EARLIEST, 0x4000_0000_0000_0000L);
  }

  private static void assertForm(long time, long timestamp) {
    assertEquals(timestamp, ExchangeTime.toTimestamp(time));
    assertEquals(time, ExchangeTime.ofTimestamp(timestamp));
  }
}
