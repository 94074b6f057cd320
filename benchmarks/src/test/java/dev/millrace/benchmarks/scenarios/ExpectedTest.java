package dev.millrace.benchmarks.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

class ExpectedTest {
  private static ConsumerRecord<byte[], byte[]> record(int partition, long key, byte[] value) {
    return new ConsumerRecord<>("out", partition, 0, Event.toBytes(key), value);
  }

  private static byte[] value(long key, long number) {
    byte[] value = new byte[Event.HEAD_BYTES];
    Event.head(value, false, key, number);
    return value;
  }

  private static ExpectedCounts counts(boolean byOther) {
    return new ExpectedCounts(new int[] {3, 0, 5}, 2, byOther);
  }

  @Test
  void rightCountsPass() {
    ExpectedCounts expected = counts(false);
    expected.accept(record(0, 0, Event.toBytes(3)));
    expected.accept(record(1, 2, Event.toBytes(5)));
    expected.finish();
    assertEquals(2, expected.records());
  }

  @Test
  void countsByTheOtherKeyAreFoundByIt() {
    ExpectedCounts expected = counts(true);
    expected.accept(record(0, Event.otherOf(2), Event.toBytes(5)));
    assertThrows(
        IllegalStateException.class,
        () -> expected.accept(record(0, 0x1234567890L, Event.toBytes(5))));
  }

  @Test
  void wrongCountsAndKeysAndAnswersTwiceDoNot() {
    ExpectedCounts expected = counts(false);
    IllegalStateException wrong =
        assertThrows(
            IllegalStateException.class, () -> expected.accept(record(0, 0, Event.toBytes(4))));
    assertTrue(
        String.valueOf(wrong.getMessage()).contains("counted 4 times, but is in the input 3 times"),
        wrong::getMessage);
    assertThrows(
        IllegalStateException.class, () -> expected.accept(record(0, 1, Event.toBytes(0))));
    expected.accept(record(0, 2, Event.toBytes(5)));
    assertThrows(
        IllegalStateException.class, () -> expected.accept(record(0, 2, Event.toBytes(5))));
  }

  @Test
  void aCopyHasTheSameRecordsInTheSameOrder() {
    ExpectedCopy expected = new ExpectedCopy(input(), 2);
    expected.accept(record(1, 9, value(9, 2)));
    expected.accept(record(0, 7, value(7, 1)));
    expected.accept(record(0, 7, value(7, 3)));
    expected.finish();
    assertEquals(3, expected.records());
  }

  @Test
  void aCopyInAnotherOrderOrWithAnotherRecordIsNone() {
    ExpectedCopy order = new ExpectedCopy(input(), 2);
    order.accept(record(0, 7, value(7, 3)));
    assertThrows(IllegalStateException.class, () -> order.accept(record(0, 7, value(7, 1))));

    ExpectedCopy other = new ExpectedCopy(input(), 2);
    other.accept(record(0, 7, value(7, 1)));
    other.accept(record(0, 8, value(7, 3)));
    other.accept(record(1, 9, value(9, 2)));
    assertThrows(IllegalStateException.class, other::finish);
  }

  private static Fingerprint input() {
    Fingerprint input = new Fingerprint(2);
    input.add(0, Event.toBytes(7), value(7, 1));
    input.add(1, Event.toBytes(9), value(9, 2));
    input.add(0, Event.toBytes(7), value(7, 3));
    return input;
  }
}
