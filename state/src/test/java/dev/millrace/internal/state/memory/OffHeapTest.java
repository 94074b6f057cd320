package dev.millrace.internal.state.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import java.lang.management.ManagementFactory;
import java.util.Iterator;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Memory that is handed out and taken back, and what lies in it.
class OffHeapTest {

  @Test
  void aSizeClassIsTheLeastThatIsEnough() {
    for (int bytes = 1; bytes < 200_000; bytes++) {
      int sizeClass = OffHeap.sizeClass(bytes);
      assertTrue(OffHeap.size(sizeClass) >= bytes, "size " + bytes);
      assertTrue(sizeClass == 0 || OffHeap.size(sizeClass - 1) < bytes, "size " + bytes);
    }
    assertTrue(OffHeap.size(OffHeap.sizeClass(Integer.MAX_VALUE - 16)) > 2_000_000_000);
  }

  @Test
  void piecesInUseNeverOverlap() {
    Random random = new Random(5);
    TreeMap<Long, Integer> used = new TreeMap<>();
    try (OffHeap memory = new OffHeap(new AtomicLong())) {
      for (int i = 0; i < 50_000; i++) {
        if (!used.isEmpty() && random.nextInt(5) < 2) {
          Long any = used.ceilingKey(random.nextLong(used.lastKey() + 1));
          memory.free(any, used.remove(any));
        } else {
          int bytes = random.nextInt(50) == 0 ? random.nextInt(100_000) : random.nextInt(300);
          long address = memory.allocate(bytes);
          var below = used.floorEntry(address);
          var above = used.ceilingKey(address);
          assertTrue(below == null || below.getKey() + below.getValue() <= address);
          assertTrue(above == null || address + bytes <= above);
          assertTrue(OffHeap.offset(address) + bytes <= memory.segment(address).byteSize());
          used.put(address, bytes);
        }
      }
    }
  }

  @Test
  void manyEntriesAreWhatATreeHas() {
    for (long seed = 1; seed <= 4; seed++) {
      Random random = new Random(seed);
      TreeMap<Bytes, Bytes> tree = new TreeMap<>();
      try (MemoryDisk disk = new MemoryDisk("0-0", new AtomicLong(), () -> {})) {
        for (int round = 0; round < 40; round++) {
          TreeMap<Bytes, @Nullable Bytes> changes = new TreeMap<>();
          int from = random.nextInt(9_000);
          int width = random.nextInt(4) == 0 ? 10_000 : 300;
          boolean deletes = random.nextInt(3) == 0;
          for (int i = random.nextInt(1_200); i > 0; i--) {
            Bytes key = Bytes.ofUtf8("a common start " + (from + random.nextInt(width)));
            Bytes value = Bytes.ofUtf8("v".repeat(random.nextInt(40)) + round);
            changes.put(key, deletes || random.nextInt(5) == 0 ? null : value);
          }
          disk.ingest(new MapRun(changes), new byte[1]);
          changes.forEach((key, value) -> tree.compute(key, (_, _) -> value));
          requireSame(tree, disk, Bytes.ofUtf8("a common start " + random.nextInt(10_000)));
        }
      }
    }
  }

  private static void requireSame(TreeMap<Bytes, Bytes> tree, MemoryDisk disk, Bytes some) {
    long bytes = 0;
    try (Disk.Cursor cursor = disk.range(new Bytes(), null)) {
      for (var entry : tree.entrySet()) {
        assertTrue(cursor.next());
        assertEquals(entry.getKey(), cursor.key());
        assertEquals(entry.getValue(), cursor.value());
        bytes += entry.getKey().length() + entry.getValue().length();
      }
      assertFalse(cursor.next());
    }
    assertEquals(bytes, disk.sizeBytes());
    byte[] found = disk.get(some);
    assertEquals(tree.get(some), found == null ? null : Bytes.of(found));
    try (Disk.Cursor cursor = disk.range(some, null)) {
      Bytes first = tree.ceilingKey(some);
      assertEquals(first != null, cursor.next());
      assertTrue(first == null || first.equals(cursor.key()));
    }
  }

  private static final class MapRun implements Disk.SortedRun {
    private final Iterator<Map.Entry<Bytes, @Nullable Bytes>> rest;
    private Map.@Nullable Entry<Bytes, @Nullable Bytes> at;

    MapRun(TreeMap<Bytes, @Nullable Bytes> changes) {
      rest = changes.entrySet().iterator();
    }

    @Override
    public boolean next() {
      at = rest.hasNext() ? rest.next() : null;
      return at != null;
    }

    @Override
    public Bytes key() {
      return at.getKey();
    }

    @Override
    public @Nullable Bytes value() {
      return at.getValue();
    }
  }

  @Test
  void anIngestAllocatesNothingOnTheHeapAnEntry() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    int count = 200_000;
    try (MemoryDisk disk = new MemoryDisk("0-0", new AtomicLong(), () -> {})) {
      disk.ingest(new Numbers(count), new byte[1]);
      disk.ingest(new Numbers(count), new byte[1]);
      long before = threads.getCurrentThreadAllocatedBytes();
      disk.ingest(new Numbers(count), new byte[1]);
      double bytes = (threads.getCurrentThreadAllocatedBytes() - before) / (double) count;
      assertTrue(bytes < 1, () -> bytes + " bytes an entry");
      assertEquals(count * 24L, disk.sizeBytes());
    }
  }

  /// Keys and values of twelve bytes.
  private static final class Numbers implements Disk.SortedRun {
    private final int count;
    private final Bytes bytes = Bytes.of(new byte[12]);
    private int at = -1;

    Numbers(int count) {
      this.count = count;
    }

    @Override
    public boolean next() {
      at++;
      for (int i = 0; i < 4; i++) {
        bytes.array()[8 + i] = (byte) (at >>> 24 - 8 * i);
      }
      return at < count;
    }

    @Override
    public Bytes key() {
      return bytes;
    }

    @Override
    public Bytes value() {
      return bytes;
    }
  }
}
