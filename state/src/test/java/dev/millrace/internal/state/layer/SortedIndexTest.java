package dev.millrace.internal.state.layer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// The order of entries, and what it costs: looks at keys are counted.
final class SortedIndexTest {
  private static final int ENTRIES = 20_000;

  private final CountingTable table = new CountingTable();
  private final SortedIndex index = new SortedIndex(table);

  @Test
  void runsAreSortedAndHoldEachEntryOnce() {
    fill(100);
    List<Integer> all = new ArrayList<>();
    for (int[] run : index.runs()) {
      for (int i = 0; i < run.length; i++) {
        all.add(run[i]);
        assertTrue(i == 0 || table.compare(run[i - 1], run[i]) < 0);
      }
    }
    Collections.sort(all);
    assertEquals(ENTRIES, all.size());
    for (int i = 0; i < ENTRIES; i++) {
      assertEquals(i, all.get(i));
    }
  }

  @Test
  void aRangeThatBeginsCostsALogarithm() {
    fill(100);
    index.runs();
    table.looks = 0;
    assertEquals(7, between(12_345, 12_352));
    // At most 15 runs, two bisections of at most 15 steps in each.
    assertTrue(table.looks < 15 * 2 * 15, () -> table.looks + " looks at keys");
    assertTrue(index.runs().size() <= 15, () -> index.runs().size() + " runs");
  }

  @Test
  void rangesBetweenAdditionsDoNotSortEverythingAgain() {
    fill(10);
    // Two looks a comparison, about log n merges an entry; everything again would be 20 million.
    long atMost = 2L * ENTRIES * 2 * 15;
    assertTrue(table.looks < atMost, () -> table.looks + " looks at keys");
  }

  /// Adds all entries, with a range after each few.
  private void fill(int few) {
    List<Integer> keys = new ArrayList<>();
    for (int i = 0; i < ENTRIES; i++) {
      keys.add(i);
    }
    Collections.shuffle(keys, new Random(3));
    for (int i = 0; i < ENTRIES; i++) {
      table.keys.add(key(keys.get(i)));
      index.add(i);
      if (i % few == 0) {
        index.runs();
      }
    }
  }

  private int between(int from, int to) {
    List<SortedEntries> runs = new ArrayList<>();
    int[] entries = {0};
    index.addRange(
        runs,
        Bytes.of(key(from)),
        Bytes.of(key(to)),
        (run, start, end) -> {
          entries[0] += end - start;
          return new LayerEntries(0, new Layer(new ArrayPool()), run, start, end);
        });
    return entries[0];
  }

  private static byte[] key(int number) {
    return new byte[] {7, (byte) (number >>> 16), (byte) (number >>> 8), (byte) number};
  }

  private static final class CountingTable extends ByteTable {
    private final List<byte[]> keys = new ArrayList<>();
    private long looks;

    @Override
    public byte[] keyArray(int entry) {
      looks++;
      return keys.get(entry);
    }

    @Override
    public int keyOffset(int entry) {
      return 0;
    }

    @Override
    public int keyLength(int entry) {
      return keys.get(entry).length;
    }
  }
}
