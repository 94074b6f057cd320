package dev.millrace.internal.state;

import static dev.millrace.internal.state.TaskStates.COUNTS;
import static dev.millrace.internal.state.TaskStates.TEXTS;
import static dev.millrace.internal.state.TaskStates.collect;
import static dev.millrace.internal.state.TaskStates.commit;
import static dev.millrace.internal.state.TaskStates.commitAndFlush;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.DiskException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What moves an entry from layer to layer, and what must not.
final class TaskStateTest {
  private final FakeDisk disk = new FakeDisk();
  private final TaskState state = TaskStates.open(disk, TEXTS, COUNTS);
  private final CachedStore<String, String> texts = state.store(1);
  private final CachedStore<Long, Long> counts = state.store(2);

  @Test
  void changesAreShownOnceInTheOrderOfTheFirstChange() {
    texts.put("b", "1");
    counts.put(0L, 7L);
    texts.put("a", "2");
    texts.put("b", "3");
    texts.delete("c");
    assertEquals(
        List.of("000162=33", "00028000000000000000=8000000000000007", "000161=32", "000163-"),
        collect(state));
  }

  @Test
  void whatIsPutWhileACommitIsPendingBelongsToTheNext() {
    texts.put("a", "1");
    assertEquals(List.of("000161=31"), collect(state));
    texts.put("a", "2");
    state.acknowledge();
    assertEquals("2", texts.get("a"));
    assertEquals(List.of("000161=32"), collect(state));
  }

  @Test
  void aCommitWithoutChangesIsACommit() {
    assertFalse(state.hasChanges());
    assertEquals(List.of(), collect(state));
    assertTrue(state.isPending());
    state.acknowledge();
    assertFalse(state.isPending());
  }

  @Test
  void theOrderOfCallsIsChecked() {
    assertThrows(IllegalStateException.class, state::acknowledge);
    collect(state);
    assertThrows(IllegalStateException.class, () -> collect(state));
    state.acknowledge();
    assertThrows(IllegalStateException.class, state::acknowledge);
  }

  @Test
  void behindAFailedVisitorOnlyARollBackFollows() {
    texts.put("a", "0");
    commit(state);
    texts.put("a", "1");
    texts.put("b", "2");
    List<Bytes> seen = new ArrayList<>();
    assertThrows(
        UnsupportedOperationException.class,
        () ->
            state.collect((key, value) -> {
              seen.add(key.copy());
              if (seen.size() == 2) {
                throw new UnsupportedOperationException("Planted.");
              }
            }));
    assertFalse(state.isPending());
    assertThrows(IllegalStateException.class, state::acknowledge);
    assertThrows(IllegalStateException.class, () -> collect(state));
    assertThrows(IllegalStateException.class, () -> state.collect(1, (_, _) -> {}));
    state.rollBack();
    assertEquals("0", texts.get("a"));
    assertNull(texts.get("b"));
    assertEquals(0, state.gauges().pendingBytes());
    assertEquals(List.of(), collect(state));
  }

  @Test
  void aCommitHasWhatWasThereWhenItBegan() {
    texts.put("a", "1");
    texts.put("b", "1");
    texts.put("c", "1");
    state.freeze();
    assertTrue(state.collectsInSteps());
    List<String> changes = new ArrayList<>();
    assertEquals(1, state.collect(1, (key, value) -> changes.add(key + "=" + value)));
    texts.put("a", "2");
    texts.delete("c");
    texts.put("d", "2");
    assertEquals(List.of("000161=31"), changes);
    assertThrows(IllegalStateException.class, state::acknowledge);
    state.collect(5, (key, value) -> changes.add(key + "=" + value));
    // What was about to change went first.
    assertEquals(List.of("000161=31", "000163=31", "000162=31"), changes);
    assertTrue(state.isPending());
    assertEquals("2", texts.get("a"));
    assertNull(texts.get("c"));
    state.acknowledge();
    assertEquals(List.of("000161=32", "000163-", "000164=32"), collect(state));
  }

  @Test
  void aRollBackDropsWhatIsFrozen() {
    texts.put("a", "1");
    commit(state);
    texts.put("a", "2");
    texts.put("b", "2");
    state.freeze();
    state.collect(1, (_, _) -> {});
    texts.put("b", "3");
    state.rollBack();
    assertEquals("1", texts.get("a"));
    assertNull(texts.get("b"));
    assertEquals(List.of(), collect(state));
  }

  @Test
  void valuesThatCanBeChangedByTheirOwnersAreCollectedAtOnce() {
    TaskState lists = TaskStates.open(new FakeDisk(), TaskStates.LISTS, TEXTS);
    CachedStore<String, List<Integer>> store = lists.store(1);
    for (String key : List.of("a", "b", "c")) {
      store.put(key, new ArrayList<>(List.of(1)));
    }
    lists.freeze();
    assertFalse(lists.collectsInSteps());
    assertEquals(3, lists.collect(1, (_, _) -> {}));
    assertTrue(lists.isPending());
  }

  @Test
  void theVisitorOfACommitMustNotWrite() {
    texts.put("a", "1");
    assertThrows(
        IllegalStateException.class, () -> state.collect((key, value) -> texts.put("b", "2")));
    state.rollBack();
    texts.put("a", "1");
    assertEquals(List.of("000161=31"), collect(state));
  }

  @Test
  void aRollBackDropsWhatIsLiveAndPending() {
    texts.put("a", "committed");
    commit(state);
    texts.put("a", "pending");
    texts.put("b", "pending");
    collect(state);
    texts.put("a", "live");
    texts.delete("b");
    state.rollBack();
    assertEquals("committed", texts.get("a"));
    assertNull(texts.get("b"));
    assertFalse(state.hasChanges());
    assertFalse(state.isPending());
    assertEquals(0, state.gauges().pendingBytes());
    assertEquals(List.of(), collect(state));
  }

  @Test
  void aFlushWritesAllThatIsCommittedAndNothingElse() {
    texts.put("a", "1");
    texts.put("b", "1");
    commit(state);
    texts.put("a", "2");
    texts.delete("b");
    commit(state);
    texts.put("a", "3");
    collect(state);
    texts.put("a", "4");
    state.flush(new byte[] {9});

    assertEquals(1, disk.ingests);
    assertEquals(2, disk.ingestedEntries);
    assertEquals("{000161=32}", disk.entries().toString());
    assertArrayEquals(new byte[] {9}, state.diskPosition());
    assertEquals(0, state.gauges().committedBytes());
    assertEquals("4", texts.get("a"));
    state.rollBack();
    assertEquals("2", texts.get("a"));
    assertNull(texts.get("b"));
  }

  @Test
  void aFlushOfNothingMovesThePosition() {
    assertNull(state.diskPosition());
    state.flush(new byte[] {4, 2});
    assertArrayEquals(new byte[] {4, 2}, state.diskPosition());
    assertEquals(1, state.gauges().flushes());
  }

  @Test
  void aRefusedFlushChangesNothingAndCanBeTriedAgain() {
    for (int i = 0; i < 10; i++) {
      texts.put("key" + i, "value" + i);
    }
    commit(state);
    long bytes = state.gauges().committedBytes();
    disk.refuseNextIngest();
    DiskException refused = assertThrows(DiskException.class, () -> state.flush(new byte[] {1}));
    assertEquals(DiskException.Kind.FULL, refused.kind());
    assertEquals(bytes, state.gauges().committedBytes());
    assertEquals(0, state.gauges().flushes());
    assertNull(state.diskPosition());
    state.rollBack();
    assertEquals("value7", texts.get("key7"));

    texts.put("key7", "later");
    commit(state);
    state.flush(new byte[] {2});
    assertEquals(10, disk.entries().size());
    assertEquals(
        "later", disk.entries().get(Bytes.of(new byte[] {0, 1, 'k', 'e', 'y', '7'})).toUtf8());
  }

  @Test
  void aKeyThatChangesWithEveryCommitTakesItsBytesOnce() {
    counts.put(1L, 0L);
    commit(state);
    long bytes = state.gauges().committedBytes();
    for (long i = 0; i < 1000; i++) {
      counts.put(1L, i);
      commit(state);
      assertTrue(
          state.gauges().committedBytes() <= 2 * bytes, "More than the last commit is not merged.");
    }
    assertTrue(state.settle(100));
    assertFalse(state.settle(100));
    assertEquals(bytes, state.gauges().committedBytes());
    state.flush(new byte[] {1});
    assertEquals(1, disk.ingestedEntries);
  }

  @Test
  void restoredEntriesAreReadAndTheLastOneWins() {
    state.restoring().restore(Bytes.of(new byte[] {0, 1, 'a'}), Bytes.ofUtf8("1"));
    state.restoring().restore(Bytes.of(new byte[] {0, 1, 'b'}), Bytes.ofUtf8("1"));
    state.restoring().restore(Bytes.of(new byte[] {0, 1, 'a'}), Bytes.ofUtf8("22"));
    assertEquals("22", texts.get("a"));
    state.restoring().restore(Bytes.of(new byte[] {0, 1, 'a'}), null);
    assertNull(texts.get("a"), "a cached object does not outlive a restored entry");
    assertEquals("1", texts.get("b"));
    assertFalse(state.hasChanges());
  }

  @Test
  void aRestoredKeyOfAnUnknownStoreNamesTaskAndNumber() {
    for (byte[] key : new byte[][] {{0, 0, 'a'}, {0, 3, 'a'}, {1, 1, 'a'}}) {
      UnknownStoreException refused =
          assertThrows(
              UnknownStoreException.class,
              () -> state.restoring().restore(Bytes.of(key), Bytes.of(key)));
      int number = key[0] << 8 | key[1];
      assertTrue(refused.getMessage().contains("2-5"), refused.getMessage());
      assertTrue(refused.getMessage().contains("number " + number), refused.getMessage());
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> state.restoring().restore(Bytes.of(new byte[] {0}), null));
  }

  @Test
  void nothingIsRestoredOverChanges() {
    texts.put("a", "1");
    Bytes key = Bytes.of(new byte[] {0, 1, 'a'});
    assertThrows(IllegalStateException.class, () -> state.restoring().restore(key, key));
    collect(state);
    assertThrows(IllegalStateException.class, () -> state.restoring().restore(key, key));
    state.acknowledge();
    state.restoring().restore(key, Bytes.ofUtf8("2"));
    assertEquals("2", texts.get("a"));
  }

  @Test
  void sharesThatAreExceededAreSaid() {
    StateLimits limits = new StateLimits(64 * 1024, 1000, 2000, 100, 1000, false);
    TaskState small = TaskStates.open(new FakeDisk(), limits, COUNTS);
    CachedStore<Long, Long> store = small.store(1);
    long next = 0;
    while (!small.wantsCommit()) {
      assertTrue(small.gauges().liveBytes() <= 1000);
      store.put(next++, 1L);
    }
    assertTrue(small.gauges().liveBytes() > 1000);
    assertFalse(small.wantsFlush());
    while (!small.wantsFlush()) {
      assertTrue(small.gauges().committedBytes() <= 2000);
      store.put(next++, 1L);
      commit(small);
      assertFalse(small.wantsCommit());
    }
    small.flush(new byte[] {1});
    assertFalse(small.wantsFlush());
    assertTrue(next < 100, () -> "estimates are far too small");
  }

  @Test
  void numbersOfStoresAreChecked() {
    assertThrows(IllegalArgumentException.class, () -> new NumberedStore(0, TEXTS));
    assertThrows(IllegalArgumentException.class, () -> new NumberedStore(0xFFFF, TEXTS));
    IllegalArgumentException twice =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                new TaskState(
                    "2-5",
                    disk,
                    List.of(new NumberedStore(3, TEXTS), new NumberedStore(3, COUNTS)),
                    StateLimits.defaults()));
    assertTrue(twice.getMessage().contains("'texts' and 'counts'"), twice.getMessage());
    assertThrows(UnknownStoreException.class, () -> state.store(3));
  }

  @Test
  void stateSurvivesOnDiskAndInTheChangelog() {
    texts.put("old", "1");
    texts.put("gone", "1");
    commitAndFlush(state);
    texts.delete("gone");
    texts.put("new", "2");
    List<Bytes> keys = new ArrayList<>();
    List<Bytes> values = new ArrayList<>();
    state.collect((key, value) -> {
      keys.add(key.copy());
      values.add(value == null ? null : value.copy());
    });
    TaskState reopened = TaskStates.open(disk.reopened(), TEXTS, COUNTS);
    for (int i = 0; i < keys.size(); i++) {
      reopened.restoring().restore(keys.get(i), values.get(i));
    }
    CachedStore<String, String> store = reopened.store(1);
    assertEquals("1", store.get("old"));
    assertNull(store.get("gone"));
    assertEquals("2", store.get("new"));
  }

  @Test
  void closingClosesTheDisk() {
    state.close();
    assertTrue(disk.closed);
  }
}
