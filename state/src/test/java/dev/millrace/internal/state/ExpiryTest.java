package dev.millrace.internal.state;

import static dev.millrace.internal.state.TaskStates.collect;
import static dev.millrace.internal.state.TaskStates.commit;
import static dev.millrace.internal.state.TaskStates.commitAndFlush;
import static dev.millrace.internal.state.TaskStates.range;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.SerdeException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Values that live for ten milliseconds of the task's time.
final class ExpiryTest {
  private static final StoreSpec<String, String> SPEC =
      StoreSpec.keyValue("short", TestSerdes.STRING, TestSerdes.STRING)
          .withRanges()
          .withTimeToLive(Duration.ofMillis(10));

  private final FakeDisk disk = new FakeDisk();

  private TaskState open(long cacheBytes) {
    TaskState state =
        TaskStates.open(
            disk, StateLimits.defaults().withCacheBytes(cacheBytes), SPEC, TaskStates.TEXTS);
    state.clock(1_000);
    return state;
  }

  @Test
  void aValueIsGoneWhenItsTimeIsOverInEveryLayer() {
    for (long cacheBytes : new long[] {0, 1 << 20}) {
      for (int layer = 0; layer < 3; layer++) {
        TaskState state = open(cacheBytes);
        CachedStore<String, String> store = state.store(1);
        store.put("a", "1");
        collect(state);
        if (layer > 0) {
          state.acknowledge();
        }
        if (layer > 1) {
          state.flush(new byte[] {1});
        }
        state.clock(1_009);
        assertEquals("1", store.get("a"));
        assertEquals(List.of("a=1"), range(store, null, null));
        state.clock(1_010);
        assertNull(store.get("a"), "layer " + layer);
        assertEquals(List.of(), range(store, null, null));
      }
    }
  }

  @Test
  void whatIsLiveIsThereAndLivesFromTheCommitOn() {
    TaskState state = open(1 << 20);
    CachedStore<String, String> store = state.store(1);
    store.put("a", "1");
    state.clock(2_000);
    assertEquals("1", store.get("a"));
    assertEquals(List.of("a=1"), range(store, null, null));
    // 2,010 and the text.
    assertEquals(List.of("000161=00000000000007da31"), collect(state));
  }

  @Test
  void aNewValueHidesAnOldOneThatWouldLiveLonger() {
    TaskState state =
        TaskStates.open(disk, SPEC.withTimeToLive(Duration.ofHours(1)), TaskStates.TEXTS);
    state.clock(1_000);
    CachedStore<String, String> longLived = state.store(1);
    longLived.put("a", "old");
    commitAndFlush(state);
    TaskState shorter = open(0);
    CachedStore<String, String> store = shorter.store(1);
    assertEquals("old", store.get("a"));
    store.put("a", "new");
    commit(shorter);
    shorter.clock(1_010);
    assertNull(store.get("a"));
    assertEquals(List.of(), range(store, null, null));
  }

  @Test
  void sweepingDeletesInStepsWhatHasExpiredAndNothingElse() {
    TaskState state = open(1 << 20);
    CachedStore<String, String> store = state.store(1);
    CachedStore<String, String> others = state.store(2);
    for (int i = 0; i < 20; i++) {
      store.put("k" + (char) ('a' + i), "v");
      others.put("k" + (char) ('a' + i), "v");
    }
    commitAndFlush(state);
    state.clock(1_005);
    store.put("kb", "again");
    commitAndFlush(state);
    store.put("kc", "again, not on disk");
    commit(state);
    store.put("kd", "again, live");
    state.clock(1_010);
    assertTrue(state.sweep(8));
    assertEquals(6, collect(state).size(), "five that expired, and the one that was put");
    state.acknowledge();
    assertTrue(state.sweep(8));
    assertTrue(state.sweep(8));
    commitAndFlush(state);
    assertFalse(state.sweep(100), "all is swept");
    assertEquals(20 + 3, disk.entries().size());
    assertEquals(
        List.of("kb=again", "kc=again, not on disk", "kd=again, live"), range(store, null, null));
  }

  @Test
  void aValueWithoutATimeIsRefused() {
    TaskState plain = TaskStates.open(disk, TaskStates.TEXTS);
    CachedStore<String, String> texts = plain.store(1);
    texts.put("a", "short");
    commitAndFlush(plain);
    CachedStore<String, String> store = open(0).store(1);
    SerdeException refused = assertThrows(SerdeException.class, () -> store.get("a"));
    assertTrue(refused.getMessage().contains("written without one"), refused.getMessage());
    assertThrows(SerdeException.class, () -> range(store, null, null));
  }

  @Test
  void aTimeToLiveIsAMillisecondAtLeast() {
    assertThrows(IllegalArgumentException.class, () -> SPEC.withTimeToLive(Duration.ofNanos(9)));
  }
}
