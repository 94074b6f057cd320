package dev.millrace.internal.engine.chain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is left of the changes of a batch.
class ConflateStepTest {
  private final Step.Place place = new Step.Place(new Probe(1));
  private final Rows rows = new Rows();
  private final List<Change> told = new ArrayList<>();
  private final Step conflate = conflate();

  private record Change(String key, String value, boolean isRetraction, long timestamp) {}

  private Step conflate() {
    Step step = new ConflateStep("conflate", place);
    step.then(
        new Step("told", place) {
          @Override
          void apply(Rows all) {
            Bytes key = new Bytes();
            for (int i = 0; i < all.size(); i++) {
              assertTrue(all.key(i, key));
              told.add(
                  new Change(
                      key.toUtf8(), (String) all.value(i), all.isRetraction(i), all.timestamp(i)));
            }
          }
        });
    return step;
  }

  private void emit(String key, String value, long timestamp) {
    rows.addOwn(Bytes.ofUtf8(key), value, timestamp, ResultOrigins.UNKNOWN);
  }

  private void retract(String key, String value, long timestamp) {
    emit(key, value, timestamp);
    rows.retract();
  }

  @Test
  void theFirstIsTakenBackAndTheLastTakesItsPlace() {
    rows.startMade(null);
    retract("a", "1", 5);
    emit("a", "2", 5);
    emit("b", "9", 6);
    retract("a", "2", 7);
    emit("a", "3", 7);
    conflate.process(rows);
    assertEquals(
        List.of(
            new Change("a", "1", true, 5),
            new Change("a", "3", false, 7),
            new Change("b", "9", false, 6)),
        told);
  }

  @Test
  void whatComesToNothingIsNotTold() {
    rows.startMade(null);
    emit("born", "1", 5);
    retract("born", "1", 6);
    retract("same", "1", 5);
    emit("same", "2", 5);
    retract("same", "2", 6);
    emit("same", "1", 6);
    retract("gone", "1", 5);
    emit("gone", "2", 5);
    retract("gone", "2", 6);
    conflate.process(rows);
    assertEquals(List.of(new Change("gone", "1", true, 5)), told);
  }

  /// A table that changes at random, told in batches: whoever follows what is told has the same
  /// table after each batch, is never told to take back what he does not have, and hears of each
  /// key once.
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 10, 100, 1_000})
  void whoeverFollowsHasTheSameTable(int batch) {
    Random random = new Random(batch);
    Map<String, String> table = new TreeMap<>();
    Map<String, String> followed = new TreeMap<>();
    for (int changed = 0; changed < 5_000; changed += batch) {
      Map<String, String> before = new TreeMap<>(table);
      rows.startMade(null);
      for (int i = 0; i < batch; i++) {
        change(random, table);
      }
      conflate.process(rows);
      Set<String> emitted = new HashSet<>();
      for (Change each : told) {
        if (each.isRetraction) {
          assertEquals(each.value, followed.remove(each.key));
        } else {
          assertNull(followed.put(each.key, each.value));
          assertTrue(emitted.add(each.key));
          assertNotEquals(before.get(each.key), each.value);
        }
      }
      told.clear();
      assertEquals(table, followed);
    }
  }

  private void change(Random random, Map<String, String> table) {
    String key = "k" + random.nextInt(20);
    String old = table.remove(key);
    if (old != null) {
      retract(key, old, 1);
    }
    if (random.nextInt(4) > 0) {
      // Never the same again at once: an operator does not tell of what stays.
      String value = old != null && old.equals("0") ? "1" : Integer.toString(random.nextInt(3));
      if (!value.equals(old)) {
        emit(key, value, 1);
        table.put(key, value);
      }
    }
  }
}
