package dev.millrace.internal.state.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.api.serde.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/// Leaves beside a sorted map, with keys that are alike at their start, or hardly differ.
class LeavesTest {
  private static final List<Function<Random, byte[]>> KEYS =
      List.of(
          random -> bytes(random, random.nextInt(3), 2),
          random -> bytes(random, random.nextInt(12), 2),
          random -> text("\0\0channel-" + random.nextInt(400) + "\0" + random.nextInt(30)),
          random -> behind(new byte[random.nextInt(40)], bytes(random, random.nextInt(3), 3)),
          random -> behind(new byte[30], bytes(random, 2, 256)),
          random -> behind(new byte[random.nextInt(2) * 9], bytes(random, 9, 2)),
          random -> bytes(random, 12, 256));

  @Test
  void holdWhatAMapHolds() {
    for (int seed = 1; seed <= 60; seed++) {
      new Beside(new Random(seed), KEYS.get(seed % KEYS.size())).run("seed " + seed);
    }
  }

  private static byte[] text(String text) {
    return Bytes.ofUtf8(text).toByteArray();
  }

  private static byte[] bytes(Random random, int length, int kinds) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (random.nextInt(kinds) * (kinds == 2 ? 255 : 1));
    }
    return bytes;
  }

  private static byte[] behind(byte[] first, byte[] rest) {
    byte[] all = Arrays.copyOf(first, first.length + rest.length);
    System.arraycopy(rest, 0, all, first.length, rest.length);
    return all;
  }

  /// Both, with drawn changes.
  private static final class Beside {
    private final Random random;
    private final Function<Random, byte[]> drawn;
    private final TreeMap<Bytes, byte[]> expected = new TreeMap<>();
    private final AtomicLong total = new AtomicLong();
    private final OffHeap memory = new OffHeap(total);
    private final Entries entries = new Entries(memory);
    private final Leaves leaves = new Leaves(memory, entries);
    private long bytes;

    Beside(Random random, Function<Random, byte[]> drawn) {
      this.random = random;
      this.drawn = drawn;
    }

    void run(String seed) {
      for (int round = 0; round < 25; round++) {
        merge(round);
        assertEquals(
            expected.entrySet().stream()
                .mapToLong(each -> each.getKey().length() + each.getValue().length)
                .sum(),
            bytes,
            seed);
        for (int i = 0; i < 50; i++) {
          check(seed, Bytes.of(drawn.apply(random)));
        }
      }
      expected.keySet().forEach(key -> check(seed, key));
      assertEquals(List.copyOf(expected.keySet()), all(), seed);
      memory.close();
      assertEquals(0, total.get(), seed);
    }

    private void merge(int round) {
      TreeSet<Bytes> keys = new TreeSet<>();
      for (int i = random.nextInt(round % 3 == 0 ? 600 : 12); i >= 0; i--) {
        keys.add(Bytes.of(drawn.apply(random)));
      }
      boolean deletes = round % 6 == 5;
      if (deletes) {
        expected
            .keySet()
            .forEach(key -> {
              if (random.nextInt(10) > 0) {
                keys.add(key);
              }
            });
      }
      long[] changes = new long[keys.size()];
      int count = 0;
      for (Bytes key : keys) {
        byte[] value = deletes || random.nextInt(4) == 0 ? null : bytes(random, 5, 256);
        changes[count++] = entries.add(key, value == null ? null : Bytes.of(value));
        if (value == null) {
          expected.remove(key);
        } else {
          expected.put(key, value);
        }
      }
      bytes += leaves.merge(changes, count);
    }

    /// Looks for a key, and for what lies from it on.
    private void check(String seed, Bytes key) {
      byte[] value = expected.get(key);
      long found = leaves.list().find(key);
      assertArrayEquals(value, found == OffHeap.NOWHERE ? null : entries.value(found), seed);
      Map.Entry<Bytes, byte[]> next = expected.ceilingEntry(key);
      LeafList list = leaves.list();
      if (list.size() == 0) {
        assertEquals(null, next, seed);
        return;
      }
      int leaf = list.leafOf(key);
      int slot = list.slotOf(leaf, key);
      if (slot == list.count(leaf)) {
        leaf++;
        slot = 0;
      }
      assertEquals(
          next == null ? null : next.getKey(),
          leaf == list.size() ? null : keyOf(list.entry(leaf, slot)),
          seed);
    }

    private List<Bytes> all() {
      LeafList list = leaves.list();
      List<Bytes> all = new ArrayList<>();
      for (int leaf = 0; leaf < list.size(); leaf++) {
        for (int slot = 0; slot < list.count(leaf); slot++) {
          all.add(keyOf(list.entry(leaf, slot)));
        }
      }
      return all;
    }

    private Bytes keyOf(long entry) {
      byte[] key = new byte[entries.keyLength(entry)];
      entries.copyKey(entry, key);
      return Bytes.of(key);
    }
  }
}
