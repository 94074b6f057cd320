package dev.millrace.benchmarks.localstate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.benchmarks.scenarios.Event;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ExpectedJoinsTest {
  /// Four records; even numbers have id 8, odd ones 9.
  private final ExpectedJoins expected = new ExpectedJoins(4, number -> 8 + number % 2);

  private static byte[] joined(long id, long number, byte[] value) {
    byte[] record = new byte[Messages.READ_ONLY_BYTES];
    Event.head(record, false, id, number);
    return Messages.joined(id, value, new Bytes().set(record, 0, record.length));
  }

  private static byte[] joined(long id, long number) {
    return joined(id, number, Messages.tableValue(id));
  }

  @Test
  void eachRecordWithTheValueOfItsIdPassesInAnyOrder() {
    assertEquals(4, expected.records());
    expected.accept(joined(9, 3));
    expected.accept(joined(8, 0));
    expected.accept(joined(8, 2));
    expected.accept(joined(9, 1));
    expected.finish();
  }

  @Test
  void anotherValueDoesNot() {
    byte[] value = Messages.tableValue(8L);
    value[99]++;
    assertThrows(IllegalStateException.class, () -> expected.accept(joined(8, 0, value)));
  }

  @Test
  void theValueOfAnotherIdDoesNot() {
    assertThrows(
        IllegalStateException.class, () -> expected.accept(joined(8, 0, Messages.tableValue(9L))));
  }

  @Test
  void recordsThatDidNotGoInDoNot() {
    assertThrows(IllegalStateException.class, () -> expected.accept(joined(8, 4)));
    assertThrows(IllegalStateException.class, () -> expected.accept(joined(9, 2)));
  }

  @Test
  void aRecordTwiceDoesNot() {
    expected.accept(joined(8, 0));
    assertThrows(IllegalStateException.class, () -> expected.accept(joined(8, 0)));
  }

  @Test
  void aRecordOfTheTableIsToldFromOthers() {
    byte[] ofTable = Messages.tableRecord(7);
    Bytes view = new Bytes().set(ofTable, 0, ofTable.length);
    assertTrue(Messages.isOfTable(view));
    assertTrue(Arrays.equals(Messages.tableValue(7L), Messages.tableValue(view)));
    for (boolean asks : new boolean[] {false, true}) {
      byte[] event = new byte[Event.HEAD_BYTES];
      Event.head(event, asks, 7, 1);
      assertFalse(Messages.isOfTable(new Bytes().set(event, 0, event.length)));
    }
  }
}
