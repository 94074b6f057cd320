package dev.millrace.internal.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Memory that is divided anew while a task runs.
final class SharesTest {
  private static final int KEYS = 400;

  private static StateLimits limits(long cache, long live, long committed) {
    return StateLimits.defaults()
        .withCacheBytes(cache)
        .withLiveShareBytes(live)
        .withCommittedShareBytes(committed);
  }

  private static StateLimits drawn(Random random) {
    return limits(random.nextInt(30_000), random.nextInt(20_000), random.nextInt(20_000));
  }

  /// Drawn operations, with other shares at any moment, against a map. Whatever is over its share
  /// is said to be, and is not any more after the next commit and flush.
  @Test
  void aTaskIsWithinItsShareAfterTheNextCommitAndFlush() {
    for (long seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      StateLimits now = drawn(random);
      TaskState state = TaskStates.open(new FakeDisk(), now, TaskStates.TEXTS);
      CachedStore<String, String> store = state.store(1);
      Map<String, String> oracle = new TreeMap<>();
      boolean pending = false;
      for (int step = 0; step < 3_000; step++) {
        String key = "key-" + random.nextInt(KEYS);
        String about = "seed %d, step %d".formatted(seed, step);
        switch (random.nextInt(40)) {
          case 0 -> {
            now = drawn(random);
            state.share(now);
            if (!pending) {
              assertWithin(state, now, about);
            }
          }
          case 1 -> {
            if (pending) {
              state.acknowledge();
            } else {
              state.freeze();
              while (!state.isPending()) {
                state.collect(20, (_, _) -> {});
              }
            }
            pending = !pending;
          }
          case 2 -> {
            if (!pending) {
              TaskStates.commitAndFlush(state);
              assertWithin(state, now, about);
              assertEquals(0, state.gauges().liveBytes(), about);
              assertEquals(0, state.gauges().committedBytes(), about);
              assertFalse(state.wantsCommit() || state.wantsFlush() || state.needsFlush(), about);
            }
          }
          case 3, 4, 5, 6, 7, 8, 9, 10 -> assertEquals(oracle.get(key), store.get(key), about);
          default -> {
            String value = "v" + step + "x".repeat(random.nextInt(60));
            store.put(key, value);
            oracle.put(key, value);
          }
        }
        assertEquals(state.gauges().liveBytes() > now.liveShareBytes(), state.wantsCommit(), about);
        assertEquals(
            state.gauges().committedBytes() > now.committedShareBytes(), state.needsFlush(), about);
      }
    }
  }

  /// Nothing is kept beyond the share but what is live.
  private static void assertWithin(TaskState state, StateLimits shares, String about) {
    StateGauges gauges = state.gauges();
    long most = Math.max(shares.cacheBytes(), gauges.liveBytes());
    assertTrue(gauges.cachedBytes() <= most, () -> about + ": " + gauges.memory() + shares);
  }

  @Test
  void theLimitsOfKeysAndValuesStay() {
    StateLimits mine = limits(7, 8, 9).withLargest(10, 100).withEveryPutMeasured();
    assertEquals(
        limits(1, 2, 3).withLargest(10, 100).withEveryPutMeasured(),
        mine.withSharesOf(limits(1, 2, 3)));
  }

  /// The arrays of a cache stay as large as they were when objects are dropped from them, so a much
  /// smaller one begins with new arrays, once nothing in it is live: after one commit that is not
  /// collected in steps. `MemoryEstimateTest` measures it.
  @Test
  void aMuchSmallerCacheBeginsAnewAfterTheNextCommit() {
    long large = 4L << 20;
    long small = large / 50;
    TaskState state =
        TaskStates.open(new FakeDisk(), limits(large, large, large), TaskStates.COUNTS);
    CachedStore<Long, Long> store = state.store(1);
    for (long i = 0; i < 30_000; i++) {
      store.put(i, i);
    }
    TaskStates.commitAndFlush(state);
    store.put(1L, -1L);
    state.share(limits(small, small, small));
    assertTrue(state.gauges().cachedBytes() <= small);
    assertFalse(state.collectsInSteps());
    TaskStates.commitAndFlush(state);
    assertEquals(0, state.gauges().cachedEntries());
    assertTrue(state.collectsInSteps());
    assertEquals(-1L, store.get(1L));
    assertEquals(29_999L, store.get(29_999L));
  }
}
