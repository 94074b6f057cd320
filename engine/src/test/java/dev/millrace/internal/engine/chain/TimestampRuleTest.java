package dev.millrace.internal.engine.chain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.connector.Timestamps;
import dev.millrace.api.serde.SerdeException;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimestampRuleTest {
  private static final long NOW = 1_000_000;

  private static TimestampRule rule(
      Timestamps wanted, long behindMillis, long aheadMillis, boolean stamps) {
    SinkTopic topic = new SinkTopic("out", 1, 1_000, behindMillis, aheadMillis, stamps);
    TimestampRule rule = TimestampRule.ofSink(topic, wanted, false, () -> NOW);
    rule.begin();
    return rule;
  }

  private static void assertRefused(TimestampRule rule, long time, String... told) {
    String message = assertThrows(SerdeException.class, () -> rule.of(time)).getMessage();
    for (String each : told) {
      assertTrue(message.contains(each), message);
    }
    assertTrue(message.contains("'out'") && message.contains(".timestamps("), message);
  }

  @Test
  void aRecordIsRefusedFromTheFirstTimeOnThatTheTopicDoesNotTake() {
    TimestampRule rule = rule(Timestamps.EVENT_TIME, 500_000, 3_600_000, false);
    for (long time : new long[] {500_000, NOW, NOW + 3_600_000}) {
      assertEquals(time, rule.of(time));
    }
    assertRefused(rule, 499_999, "behind", "message.timestamp.before.max.ms is 500000");
    assertRefused(rule, NOW + 3_600_001, "PT1H ahead", "message.timestamp.after.max.ms is 3600000");

    TimestampRule usual = rule(Timestamps.EVENT_TIME, Long.MAX_VALUE, Long.MAX_VALUE, false);
    assertEquals(0, usual.of(0));
    assertEquals(Long.MAX_VALUE, usual.of(Long.MAX_VALUE));
    assertRefused(usual, -1, "1969-12-31T23:59:59.999Z", "before 1970");
  }

  @Test
  void whatTheTopicDoesNotTakeIsClampedWithRoomForAClockThatDiffers() {
    TimestampRule rule = rule(Timestamps.CLAMPED, 500_000, 3_600_000, false);
    assertEquals(550_000, rule.of(Long.MIN_VALUE));
    assertEquals(550_000, rule.of(549_999));
    assertEquals(550_001, rule.of(550_001));
    assertEquals(NOW + 3_240_000, rule.of(NOW + 3_240_000));
    assertEquals(NOW, rule.of(NOW + 3_240_001));
    assertEquals(0, rule(Timestamps.CLAMPED, Long.MAX_VALUE, 3_600_000, false).of(-1));
  }

  @Test
  void theTimeOfWritingIsThatOfTheClockForAllRecords() {
    TimestampRule rule = rule(Timestamps.OF_WRITING, Long.MAX_VALUE, 3_600_000, false);
    for (long time : new long[] {Long.MIN_VALUE, -1, 0, NOW - 1, NOW, Long.MAX_VALUE}) {
      assertEquals(NOW, rule.of(time));
    }
  }

  @Test
  void aTopicThatStampsEveryRecordTakesEveryEventTime() {
    TimestampRule rule = rule(Timestamps.EVENT_TIME, 1, 1, true);
    for (long time : List.of(0L, 7L, NOW + 10_000_000, Long.MAX_VALUE)) {
      assertEquals(time, rule.of(time));
    }
    assertEquals(0, rule.of(-1));
  }

  @Test
  void anExchangeTakesAllButWhatNoClockWillShow() {
    TimestampRule rule = TimestampRule.ofExchange();
    rule.begin();
    assertEquals(5, rule.of(5));
    assertEquals(Long.MAX_VALUE, rule.of(-1));
    assertEquals(1L << 62, rule.of(-(1L << 62)));
    assertThrows(SerdeException.class, () -> rule.of(1L << 62));
    assertThrows(SerdeException.class, () -> rule.of(-(1L << 62) - 1));
    assertThrows(SerdeException.class, () -> rule.of(Long.MIN_VALUE));
  }
}
