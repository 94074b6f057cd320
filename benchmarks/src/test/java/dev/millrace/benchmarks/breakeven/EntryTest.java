package dev.millrace.benchmarks.breakeven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class EntryTest {
  @Test
  void anEntryHasItsSizeWithItsKey() {
    assertEquals(92, Entry.zero(100).length);
    assertEquals(8, Entry.zero(Entry.LEAST_BYTES).length);
  }

  @Test
  void eventsAreCountedAndThoseThatAskAreNot() {
    byte[] none = Entry.zero(100);
    assertEquals(0, Entry.count(none));
    byte[] two = Entry.with(Entry.with(none, false), false);
    assertEquals(2, Entry.count(two));
    assertFalse(Entry.asked(two));
    byte[] asked = Entry.with(two, true);
    assertTrue(Entry.asked(asked));
    assertEquals(2, Entry.count(asked));
    byte[] three = Entry.with(asked, false);
    assertFalse(Entry.asked(three));
    assertEquals(3, Entry.count(three));
  }

  @Test
  void aChangeLeavesTheOldValueAlone() {
    byte[] one = Entry.with(Entry.zero(100), false);
    var _ = Entry.with(one, false);
    assertEquals(1, Entry.count(one));
  }
}
