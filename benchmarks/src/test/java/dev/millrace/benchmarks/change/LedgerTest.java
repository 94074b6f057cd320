package dev.millrace.benchmarks.change;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.benchmarks.change.peer.Event;
import dev.millrace.benchmarks.change.peer.Padding;
import dev.millrace.benchmarks.change.peer.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What is wrong is found: each test makes rows as an engine would, and most spoil them.
class LedgerTest {
  private static final int KEYS = 3;
  private static final int EVENTS = 20;

  private final Ledger ledger = new Ledger(KEYS);
  private final List<Event> events = new ArrayList<>();
  private final Map<Long, long[]> state = new HashMap<>();

  LedgerTest() {
    for (long key = 0; key < KEYS; key++) {
      state.put(key, new long[] {1, Ledger.filling(key).amount()});
    }
    for (int i = 0; i < EVENTS; i++) {
      events.add(ledger.next());
    }
  }

  private Row total(Event event) {
    long[] total = state.computeIfAbsent(event.key(), _ -> new long[2]);
    total[0]++;
    total[1] += event.amount();
    return Row.ofTotals(event.number(), total[0], total[1], Padding.of(event.key()));
  }

  private void accept(Event event, Row row) {
    ledger.accept((int) event.key(), event.key(), row);
  }

  private void acceptAll() {
    events.forEach(event -> accept(event, total(event)));
  }

  @Test
  void rightRowsAreRight() {
    acceptAll();
    assertEquals(0, ledger.wrong(0, EVENTS));
    assertEquals(EVENTS, ledger.answered());
    assertEquals(EVENTS, ledger.firstUnanswered());
    assertEquals(0, ledger.wrongOfRecent());
  }

  @Test
  void stateThatBeginsAnewIsWrongForEachLaterEventOfItsKeys() {
    for (int i = 0; i < EVENTS; i++) {
      if (i == EVENTS / 2) {
        state.clear();
      }
      accept(events.get(i), total(events.get(i)));
    }
    assertEquals(0, ledger.wrong(0, EVENTS / 2));
    assertEquals(EVENTS / 2, ledger.wrong(EVENTS / 2, EVENTS));
  }

  @Test
  void whatIsMissingIsWrong() {
    events.stream()
        .filter(event -> event.number() != 7)
        .forEach(event -> accept(event, total(event)));
    assertEquals(7, ledger.firstUnanswered());
    assertEquals(1, ledger.wrong(7, 8));
  }

  @Test
  void whatIsThereTwiceIsWrong() {
    acceptAll();
    Event first = events.getFirst();
    accept(
        first,
        Row.ofTotals(
            0, 2, Ledger.filling(first.key()).amount() + first.amount(), Padding.of(first.key())));
    assertEquals(1, ledger.wrong(0, EVENTS));
  }

  @Test
  void otherPaddingIsWrong() {
    Event event = events.getFirst();
    Row right = total(event);
    accept(event, new Row(Row.TOTALS, 0, right.count(), right.sum(), right.mark() + 1));
    assertEquals(1, ledger.wrong(0, 1));
  }

  @Test
  void aRowOfNoEventIsRefused() {
    Row row = new Row(Row.TOTALS, EVENTS, 1, 1, 1);
    assertThrows(IllegalStateException.class, () -> ledger.accept(0, 0, row));
  }

  /// @param without the number of an event that it misses, or -1
  private void recent(long from, long to, long without) {
    Map<Long, Long> counts = new HashMap<>();
    for (Event event : events.subList((int) from, (int) to)) {
      if (event.number() != without) {
        accept(
            event,
            new Row(Row.RECENT, event.number(), counts.merge(event.key(), 1L, Long::sum), 0, 0));
      }
    }
  }

  @Test
  void theSecondOperatorMayComeAndGo() {
    acceptAll();
    recent(5, 15, -1);
    assertEquals(0, ledger.wrongOfRecent());
  }

  @Test
  void theSecondOperatorMayNotMissAnythingInBetween() {
    acceptAll();
    long inBetween =
        events.subList(5, 15).stream()
            .filter(event ->
                events.subList(5, 15).stream()
                        .filter(other -> other.key() == event.key())
                        .mapToLong(Event::number)
                        .min()
                        .orElseThrow()
                    < event.number())
            .findFirst()
            .orElseThrow()
            .number();
    recent(5, 15, inBetween);
    assertTrue(ledger.wrongOfRecent() > 0);
  }

  @Test
  void theSecondOperatorBeginsToCountWithItsFirstEvent() {
    acceptAll();
    Event event = events.get(5);
    accept(event, new Row(Row.RECENT, 5, 2, 0, 0));
    assertEquals(1, ledger.wrongOfRecent());
  }

  @Test
  void theSecondOperatorMayNotComeLate() {
    acceptAll();
    recent(5, 15, -1);
    ledger.requireRecent(5, 15);
    assertEquals(0, ledger.wrongOfRecent());
    ledger.requireRecent(3, 15);
    assertEquals(2, ledger.wrongOfRecent());
  }
}
