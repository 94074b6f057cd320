package dev.millrace.benchmarks.containers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.benchmarks.change.peer.Event;
import dev.millrace.benchmarks.change.peer.Padding;
import dev.millrace.benchmarks.change.peer.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExpectedTest {
  private static final int KEYS = 5;
  private static final int EVENTS = 40;

  private final Expected expected = new Expected(KEYS);
  private final Map<Long, List<Event>> events = new HashMap<>();
  private final List<Event> numbered = new ArrayList<>();

  private void write() {
    for (int key = 0; key < KEYS; key++) {
      add(expected.filling(key));
    }
    for (int i = 0; i < EVENTS; i++) {
      Event event = expected.next();
      numbered.add(event);
      add(event);
    }
  }

  private void add(Event event) {
    events.computeIfAbsent(event.key(), _ -> new ArrayList<>()).add(event);
  }

  /// Counts as a loop over all events of the key does, with some taken out and some twice.
  private void answer(Event event, int lost, int doubled) {
    long count = 0;
    long sum = 0;
    for (Event each : events.get(event.key())) {
      int times = each.number() == lost ? 0 : each.number() == doubled ? 2 : 1;
      count += times;
      sum += times * each.amount();
      if (each.equals(event)) {
        break;
      }
    }
    expected.accept(event.key(), Row.ofTotals(event.number(), count, sum, Padding.of(event.key())));
  }

  @Test
  void nothingIsWrongOfRightRows() {
    write();
    assertEquals(EVENTS, expected.wrong().lost());
    numbered.forEach(each -> answer(each, -2, -2));
    assertTrue(expected.wrong().isNothing());
    assertEquals(EVENTS, expected.answered());
  }

  @Test
  void anEventThatIsLostIsSeenInTheRowsOfItsKeyBehindIt() {
    write();
    Event lost = numbered.getFirst();
    numbered.stream().skip(1).forEach(each -> answer(each, 0, -2));
    long behind = numbered.stream().filter(each -> each.key() == lost.key()).count() - 1;
    assertTrue(behind > 0, "the key has one event only");
    assertEquals(new Expected.Wrong(1, 0, behind, 1), expected.wrong());
  }

  @Test
  void anEventThatIsCountedTwiceIsSeen() {
    write();
    Event doubled = numbered.getFirst();
    numbered.forEach(each -> answer(each, -2, 0));
    long from = numbered.stream().filter(each -> each.key() == doubled.key()).count();
    assertEquals(new Expected.Wrong(0, 0, from, 1), expected.wrong());
  }

  @Test
  void aRowThatComesTwiceIsSeen() {
    write();
    numbered.forEach(each -> answer(each, -2, -2));
    answer(numbered.get(7), -2, -2);
    assertEquals(new Expected.Wrong(0, 1, 0, 0), expected.wrong());
  }

  @Test
  void aRowOfNoEventIsSeen() {
    write();
    numbered.forEach(each -> answer(each, -2, -2));
    expected.accept(0, Row.ofTotals(EVENTS, 1, 1, Padding.of(0)));
    assertEquals(1, expected.wrong().wrong());
  }
}
