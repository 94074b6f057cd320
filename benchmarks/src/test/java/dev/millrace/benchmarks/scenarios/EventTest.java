package dev.millrace.benchmarks.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class EventTest {
  @Test
  void theOtherKeyLeadsBackToTheKey() {
    for (long key : new long[] {0, 1, 2, 9_999_999, Long.MAX_VALUE, -1}) {
      assertEquals(key, Event.keyOf(Event.otherOf(key)));
    }
  }

  @Test
  void whatIsWrittenIsRead() {
    byte[] value = new byte[Event.HEAD_BYTES + 3];
    Event.head(value, false, 42, 7);
    assertFalse(Event.asks(value, 0));
    assertEquals(Event.otherOf(42), Event.other(value, 0));
    assertEquals(7, Event.number(value, 0));
    Event.head(value, true, 42, 7);
    assertTrue(Event.asks(value, 0));
    assertEquals(-5, Event.toLong(Event.toBytes(-5), 0));
  }
}
