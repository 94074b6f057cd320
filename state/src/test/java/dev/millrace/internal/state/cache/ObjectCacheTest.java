package dev.millrace.internal.state.cache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.state.layer.ByteTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The cache against a map of the platform, with more entries than a chunk has rows, keys that fit
/// into a row and keys that do not, values in rows and beside them, and rows that are used again.
final class ObjectCacheTest {
  private static final int KEYS = 30_000;
  private static final int OPERATIONS = 200_000;
  private static final int LONGEST_KEY = 60;
  private static final int SMALL_BYTES = 8;

  private final Map<Bytes, Expected> expected = new HashMap<>();
  private final Bytes view = new Bytes();

  /// @param small whether the value is kept as bytes
  private record Expected(Object value, boolean small, Life life) {}

  private enum Life {
    CLEAN,
    DIRTY,
    FROZEN
  }

  @ParameterizedTest
  @CsvSource({"1, 100000000", "2, 2000000", "3, 300000", "4, 0"})
  void entriesAreWhatAMapSays(long seed, long budget) {
    Random random = new Random(seed);
    List<Bytes> keys =
        random.ints(KEYS, 0, LONGEST_KEY).mapToObj(length -> key(random, length)).toList();
    ObjectCache cache = new ObjectCache(new CacheBudget(budget));
    CachePrefetch noted = new CachePrefetch(cache);
    for (int i = 0; i < OPERATIONS; i++) {
      Bytes key = keys.get(random.nextInt(KEYS));
      int hash = ByteTable.hash(key);
      int entry = cache.find(hash, key);
      // What was evicted is not known to the map: it can only have been clean.
      Expected known = expected.get(key);
      if (entry == ByteTable.NONE) {
        assertTrue(
            known == null || known.life == Life.CLEAN, () -> "lost: " + key + ", seed " + seed);
        expected.remove(key);
      } else {
        check(cache, entry, Objects.requireNonNull(known));
      }
      noted.add(hash);
      switch (random.nextInt(400)) {
        case 0, 1, 2, 3 -> noted.touch();
        case 4, 5, 6, 7, 8, 9, 10, 11 -> thaw(cache, cache.nextFrozen());
        case 12 -> {
          thawAll(cache);
          freeze(cache);
        }
        default -> {
          if (entry != ByteTable.NONE && cache.isFrozen(entry)) {
            thaw(cache, entry);
          }
          write(cache, key, hash, entry, random);
        }
      }
      cache.evict();
    }
    thawAll(cache);
    freeze(cache);
    thawAll(cache);
    cache.evict();
    assertEquals(0, cache.dirtyBytes());
    assertTrue(cache.bytes() <= budget, cache.bytes() + " of " + budget);
    assertEquals(budget == 0, cache.count() == 0);
    assertEquals(budget < 3_000_000, cache.evictions() > 0);
    for (Bytes key : keys) {
      int entry = cache.find(ByteTable.hash(key), key);
      if (entry != ByteTable.NONE) {
        check(cache, entry, Objects.requireNonNull(expected.get(key)));
        assertEquals(key, cache.key(entry, view));
      }
    }
    cache.clear();
    assertEquals(0, cache.bytes());
    keys.forEach(key -> assertEquals(ByteTable.NONE, cache.find(ByteTable.hash(key), key)));
  }

  private void freeze(ObjectCache cache) {
    cache.freeze();
    expected.replaceAll((_, each) ->
        each.life == Life.DIRTY ? new Expected(each.value, each.small, Life.FROZEN) : each);
  }

  private void thawAll(ObjectCache cache) {
    for (int entry = cache.nextFrozen(); entry != ByteTable.NONE; entry = cache.nextFrozen()) {
      thaw(cache, entry);
    }
    assertEquals(0, cache.frozenBytes());
    assertTrue(expected.values().stream().noneMatch(each -> each.life == Life.FROZEN));
  }

  private void thaw(ObjectCache cache, int entry) {
    if (entry != ByteTable.NONE) {
      expected.compute(
          cache.key(entry, new Bytes()),
          (_, each) -> new Expected(each.value, each.small, Life.CLEAN));
      cache.thaw(entry);
    }
  }

  private static Bytes key(Random random, int length) {
    byte[] key = new byte[length];
    random.nextBytes(key);
    return Bytes.of(key);
  }

  /// A key has small values or others, never one after the other.
  private void write(ObjectCache cache, Bytes key, int hash, int entry, Random random) {
    boolean small = key.length() % 2 == 0;
    int size = random.nextInt(100);
    byte[] bytes = new byte[SMALL_BYTES];
    random.nextBytes(bytes);
    Object value = null;
    Object kept = null;
    if (random.nextInt(5) > 0) {
      value = small ? bytes : Integer.valueOf(random.nextInt());
      kept = small ? ObjectCache.Small.VALUE : value;
    }
    int written = entry;
    Life life = Life.DIRTY;
    if (entry != ByteTable.NONE) {
      cache.change(entry, false, kept, random.nextBoolean() ? size : -1, 32);
    } else if (random.nextBoolean()) {
      written = cache.addDirty(hash, key, false, kept, size);
    } else {
      written = cache.addClean(hash, key, kept, size);
      life = Life.CLEAN;
    }
    if (small && value != null) {
      cache.small(written, bytes, 0, SMALL_BYTES);
    }
    expected.put(key, new Expected(value, small, life));
  }

  private void check(ObjectCache cache, int entry, Expected known) {
    assertEquals(known.life == Life.DIRTY, cache.isDirty(entry));
    assertEquals(known.life == Life.FROZEN, cache.isFrozen(entry));
    assertEquals(known.life == Life.CLEAN, cache.isClean(entry));
    assertEquals(known.value != null, cache.isThere(entry));
    if (known.small && known.value != null) {
      assertArrayEquals((byte[]) known.value, cache.small(entry, SMALL_BYTES, view).toByteArray());
      assertNull(cache.object(entry));
    } else {
      assertEquals(known.value, cache.object(entry));
    }
  }
}
