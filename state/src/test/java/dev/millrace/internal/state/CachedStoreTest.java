package dev.millrace.internal.state;

import static dev.millrace.internal.state.TaskStates.COUNTS;
import static dev.millrace.internal.state.TaskStates.LISTS;
import static dev.millrace.internal.state.TaskStates.TEXTS;
import static dev.millrace.internal.state.TaskStates.VIEWS;
import static dev.millrace.internal.state.TaskStates.collect;
import static dev.millrace.internal.state.TaskStates.commit;
import static dev.millrace.internal.state.TaskStates.commitAndFlush;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.SerdeException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a store keeps as objects, and for how long.
final class CachedStoreTest {
  private final FakeDisk disk = new FakeDisk();

  @Test
  void aGetGivesTheObjectThatWasPutAlsoAfterTheCommit() {
    TaskState state = TaskStates.open(disk, LISTS);
    CachedStore<String, List<Integer>> lists = state.store(1);
    List<Integer> list = List.of(1, 2);
    lists.put("k", list);
    assertSame(list, lists.get("k"));
    commitAndFlush(state);
    assertSame(list, lists.get("k"));
    assertEquals(0, disk.gets);
  }

  @Test
  void afterARollBackObjectsAreDecodedAgain() {
    TaskState state = TaskStates.open(disk, LISTS);
    CachedStore<String, List<Integer>> lists = state.store(1);
    lists.put("k", List.of(1));
    commit(state);
    List<Integer> list = lists.get("k");
    state.rollBack();
    assertEquals(list, lists.get("k"));
    assertNotSame(list, lists.get("k"));
  }

  @Test
  void replaceSetsItsKeyWhateverWasAskedForSinceItWasFound() {
    for (TaskState state :
        List.of(
            TaskStates.open(disk, VIEWS, TEXTS),
            TaskStates.openUncached(new FakeDisk(), VIEWS, TEXTS))) {
      CachedStore<Bytes, Bytes> views = state.store(1);
      CachedStore<String, String> texts = state.store(2);
      for (String key :
          List.of("short", "a longer key", "a key that is too long to lie in a row")) {
        Bytes bytes = Bytes.ofUtf8(key);
        Bytes other = Bytes.ofUtf8(key + "!");
        assertNull(views.find(bytes));
        replace(views, bytes, "1");
        replace(views, bytes, "2");
        views.find(bytes);
        replace(views, other, "of another key");
        texts.get("other");
        replace(views, bytes, "3");
        views.find(bytes);
        views.delete(bytes);
        assertNull(views.find(bytes));
        replace(views, bytes, "4");
        views.find(bytes);
        commit(state);
        views.get(other);
        replace(views, bytes, "5");
        assertEquals(Bytes.ofUtf8("of another key"), views.find(other));
        commit(state);
        views.find(bytes);
        state.rollBack();
        replace(views, bytes, "6");
        assertEquals(Bytes.ofUtf8("of another key"), views.get(other));
      }
    }
  }

  private static void replace(CachedStore<Bytes, Bytes> store, Bytes key, String value) {
    store.replace(key, Bytes.ofUtf8(value));
    assertEquals(Bytes.ofUtf8(value), store.get(key));
  }

  @Test
  void liveObjectsStayWhateverTheBudget() {
    TaskState state = TaskStates.openUncached(disk, LISTS);
    CachedStore<String, List<Integer>> lists = state.store(1);
    List<Integer> list = List.of(1, 2);
    lists.put("k", list);
    assertSame(list, lists.get("k"));
    assertEquals(1, state.gauges().cachedEntries());
    collect(state);
    assertEquals(0, state.gauges().cachedEntries());
    assertEquals(0, state.gauges().cachedBytes());
    assertEquals(list, lists.get("k"));
    assertNotSame(list, lists.get("k"));
  }

  @Test
  void entriesUsedAgainAreSparedOnce() {
    StateLimits limits = StateLimits.defaults().withCacheBytes(2_000);
    TaskState state = TaskStates.open(disk, limits, COUNTS);
    CachedStore<Long, Long> counts = state.store(1);
    for (long key = 0; key < 1000; key++) {
      counts.put(key, key);
    }
    commitAndFlush(state);
    state.rollBack();
    counts.get(-1L);
    counts.get(-1L);
    long reads = state.gauges().diskReads();
    for (long key = 0; key < 1000; key++) {
      counts.get(key);
      counts.get(-1L);
      assertTrue(state.gauges().cachedBytes() <= 2_000);
    }
    assertEquals(
        1000, state.gauges().diskReads() - reads, "the key in use was never read from disk");
    assertTrue(state.gauges().evictions() > 900);
    long before = state.gauges().diskReads();
    counts.get(0L);
    assertEquals(before + 1, state.gauges().diskReads(), "a key used once has left");
  }

  @Test
  void absentKeysAreLookedUpOnce() {
    TaskState state = TaskStates.open(disk, TEXTS);
    CachedStore<String, String> texts = state.store(1);
    assertNull(texts.get("none"));
    assertNull(texts.get("none"));
    assertEquals(1, disk.gets);
    assertEquals(1, state.gauges().cacheHits());
    assertEquals(1, state.gauges().cacheMisses());
    texts.put("none", "some");
    assertEquals("some", texts.get("none"));
    texts.delete("none");
    commitAndFlush(state);
    assertNull(texts.get("none"));
    assertEquals(1, disk.gets);
  }

  @Test
  void foldingIsNeverFlushedToBeRead() {
    for (long cacheBytes : new long[] {0, 1 << 20}) {
      FakeDisk folded = new FakeDisk();
      TaskState state =
          TaskStates.open(folded, StateLimits.defaults().withCacheBytes(cacheBytes), COUNTS);
      CachedStore<Long, Long> counts = state.store(1);
      for (int i = 0; i < 1_000; i++) {
        Long before = counts.get(i % 10L);
        counts.put(i % 10L, before == null ? 1 : before + 1);
        if (i % 7 == 0) {
          collect(state);
        } else if (state.isPending()) {
          state.acknowledge();
        }
      }
      assertEquals(100, counts.get(3L));
      assertEquals(0, state.gauges().flushes());
      assertEquals(0, folded.ingests);
      assertEquals(10, folded.gets, "each key once, when there was nothing yet");
    }
  }

  @Test
  void aPutDoesNotReadTheDisk() {
    TaskState state = TaskStates.open(disk, TEXTS);
    CachedStore<String, String> texts = state.store(1);
    texts.put("k", "v");
    texts.delete("l");
    assertEquals(0, state.gauges().diskReads());
  }

  @Test
  void viewsAreCopied() {
    TaskState state = TaskStates.openUncached(disk, VIEWS);
    CachedStore<Bytes, Bytes> views = state.store(1);
    byte[] key = "key".getBytes(StandardCharsets.UTF_8);
    byte[] value = "value".getBytes(StandardCharsets.UTF_8);
    views.put(Bytes.of(key), Bytes.of(value));
    Arrays.fill(key, (byte) 0);
    Arrays.fill(value, (byte) 0);
    assertEquals(Bytes.ofUtf8("value"), views.get(Bytes.ofUtf8("key")));
    commit(state);
    Bytes first = views.get(Bytes.ofUtf8("key"));
    views.put(Bytes.ofUtf8("key2"), Bytes.ofUtf8("other"));
    commit(state);
    views.get(Bytes.ofUtf8("key2"));
    assertEquals(Bytes.ofUtf8("value"), first, "a value does not change when another is read");
  }

  @Test
  void nullIsNoValue() {
    TaskState state = TaskStates.open(disk, TEXTS);
    CachedStore<String, String> texts = state.store(1);
    NullPointerException refused =
        assertThrows(NullPointerException.class, () -> texts.put("k", null));
    assertTrue(refused.getMessage().contains("delete"), refused.getMessage());
  }

  @Test
  void storesDoNotSeeEachOther() {
    StoreSpec<String, String> ranged = TEXTS.withRanges();
    StoreSpec<String, String> other =
        StoreSpec.keyValue("other", TestSerdes.STRING, TestSerdes.STRING).withRanges();
    TaskState state = TaskStates.open(disk, ranged, other, COUNTS);
    CachedStore<String, String> one = state.store(1);
    CachedStore<String, String> two = state.store(2);
    CachedStore<Long, Long> counts = state.store(3);
    for (int round = 0; round < 4; round++) {
      one.put("k" + round, "one");
      two.put("k" + round, "two");
      two.put("", "empty");
      counts.put((long) round, 1L);
      assertEquals("one", one.get("k" + round));
      assertNull(one.get(""));
      assertEquals(round + 1, TaskStates.range(one, null, null).size());
      assertEquals("=empty", TaskStates.range(two, null, null).getFirst());
      assertEquals(round + 2, TaskStates.range(two, null, null).size());
      if (round == 1) {
        commitAndFlush(state);
      } else {
        commit(state);
      }
    }
  }

  @Test
  void wantedKeysThatAreMissingAreReadOnceInOneGo() {
    TaskState state = TaskStates.open(disk, TEXTS);
    CachedStore<String, String> texts = state.store(1);
    texts.put("disk", "1");
    commitAndFlush(state);
    texts.put("committed", "2");
    commit(state);
    state.rollBack();
    texts.put("live", "3");
    want(texts, "none", "disk", "committed", "live", "disk");
    texts.loadWanted();
    assertEquals(1, disk.multiGets);
    assertEquals(2, state.gauges().diskReads());
    assertEquals("1", texts.get("disk"));
    assertNull(texts.get("none"));
    assertEquals("2", texts.get("committed"));
    assertEquals("3", texts.get("live"));
    assertEquals(0, disk.gets);
    want(texts, "none", "disk", "committed", "live", "disk");
    texts.loadWanted();
    assertEquals(1, disk.multiGets, "nothing is missing any more");
    assertNull(texts.get("never wanted"));
    assertEquals(1, disk.gets);
  }

  private static void want(CachedStore<?, ?> store, String... keys) {
    for (String key : keys) {
      store.want(Bytes.ofUtf8(key));
    }
  }

  @Test
  void wantedKeysDoNotLeaveBeforeOthersThatWereUsed() {
    StateLimits limits = StateLimits.defaults().withCacheBytes(12_000);
    TaskState state = TaskStates.open(disk, limits, COUNTS);
    CachedStore<Long, Long> counts = state.store(1);
    getAll(counts, 0, 140);
    getAll(counts, 0, 140);
    assertEquals(140, disk.gets, "all fits and was used");
    int gets = disk.gets;
    want(counts, 1000, 1100);
    getAll(counts, 1000, 1100);
    assertEquals(gets, disk.gets);
  }

  @Test
  void aWantedValueThatCannotBeReadFailsTheGetThatAsksForIt() {
    TaskState state = TaskStates.openUncached(disk, COUNTS);
    state
        .restoring()
        .restore(Bytes.of(new byte[] {0, 1, (byte) 0x80, 0, 0, 0, 0, 0, 0, 9}), Bytes.ofUtf8("x"));
    state.flush(new byte[] {1});
    CachedStore<Long, Long> counts = state.store(1);
    counts.want(Bytes.of(TestSerdes.bytes(TestSerdes.LONG, 9L)));
    counts.loadWanted();
    assertThrows(SerdeException.class, () -> counts.get(9L));
  }

  @Test
  void keysAreWantedAheadOnlyWhereManyGetsGoToTheDisk() {
    StateLimits limits = StateLimits.defaults().withCacheBytes(100_000);
    TaskState state = TaskStates.open(disk, limits, COUNTS);
    CachedStore<Long, Long> counts = state.store(1);
    assertFalse(counts.wantsKeysAhead());
    getAll(counts, 0, 300);
    assertTrue(counts.wantsKeysAhead(), "every get went to the disk");
    getAll(counts, 0, 300);
    assertFalse(counts.wantsKeysAhead(), "none did");
    getAll(counts, 300, 600);
    assertTrue(counts.wantsKeysAhead());
    want(counts, 1000, 1300);
    getAll(counts, 1000, 1300);
    assertTrue(counts.wantsKeysAhead(), "it helped");
    assertEquals(600, disk.gets);
  }

  @Test
  void wantingKeysAheadEndsWhereItDoesNotHelp() {
    TaskState state = TaskStates.openUncached(disk, COUNTS);
    CachedStore<Long, Long> counts = state.store(1);
    getAll(counts, 0, 100);
    assertTrue(counts.wantsKeysAhead());
    want(counts, 0, 100);
    getAll(counts, 0, 100);
    int without = 0;
    while (!counts.wantsKeysAhead()) {
      getAll(counts, 0, 100);
      without++;
    }
    assertEquals(64, without, "it is tried again after a while");
  }

  private static void want(CachedStore<Long, Long> counts, long from, long to) {
    for (long key = from; key < to; key++) {
      counts.want(Bytes.of(TestSerdes.bytes(TestSerdes.LONG, key)));
    }
    counts.loadWanted();
  }

  private static void getAll(CachedStore<Long, Long> counts, long from, long to) {
    for (long key = from; key < to; key++) {
      counts.get(key);
    }
  }

  @Test
  void aValueThatCannotBeReadNamesStoreAndKey() {
    TaskState state = TaskStates.open(disk, COUNTS);
    state
        .restoring()
        .restore(Bytes.of(new byte[] {0, 1, (byte) 0x80, 0, 0, 0, 0, 0, 0, 9}), Bytes.ofUtf8("x"));
    CachedStore<Long, Long> counts = state.store(1);
    SerdeException refused = assertThrows(SerdeException.class, () -> counts.get(9L));
    assertTrue(refused.getMessage().contains("'counts'"), refused.getMessage());
    assertTrue(refused.getMessage().contains("8000000000000009"), refused.getMessage());
    assertTrue(refused.getMessage().contains("not 1"), refused.getMessage());
    assertNotNull(refused.getCause());
  }

  @Test
  void aKeyThatCannotBeReadNamesStoreAndKey() {
    TaskState state = TaskStates.open(disk, COUNTS.withRanges());
    state.restoring().restore(Bytes.of(new byte[] {0, 1, 'x'}), Bytes.of(new byte[8]));
    CachedStore<Long, Long> counts = state.store(1);
    SerdeException refused =
        assertThrows(SerdeException.class, () -> TaskStates.range(counts, null, null));
    assertTrue(refused.getMessage().contains("key 78 in store 'counts'"), refused.getMessage());
    assertEquals(0, disk.openCursors);
  }
}
