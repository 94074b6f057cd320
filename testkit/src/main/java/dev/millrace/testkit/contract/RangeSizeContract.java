package dev.millrace.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import dev.millrace.spi.Disks;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// What a [Disk] says of the size of a range, compared with what was put.
abstract class RangeSizeContract extends DisksContract {
  @Test
  void theSizeOfARangeIsThatOfItsEntries() {
    for (long seed = 0; seed < 8; seed++) {
      Random random = new Random(seed);
      try (Disks disks = openDisks();
          Disk disk = disks.open(TASK + seed)) {
        long[] bytes = new long[4];
        for (int ingest = 0; ingest < 3; ingest++) {
          disk.ingest(new MapRun(entriesOfStores(random, ingest, bytes)), new byte[] {1});
        }
        for (int store = 1; store < bytes.length; store++) {
          long found = disk.sizeBytes(store(store), store(store + 1));
          assertTrue(
              found > 0.8 * bytes[store] && found < 1.2 * bytes[store],
              "seed %d, store %d: %d bytes were put, and it has %d"
                  .formatted(seed, store, bytes[store], found));
        }
        assertEquals(0, disk.sizeBytes(store(5), store(6)));
      }
    }
  }

  /// Entries of three stores, which differ in size, with values that cannot be compressed.
  private static SortedMap<Bytes, byte @Nullable []> entriesOfStores(
      Random random, int ingest, long[] bytes) {
    SortedMap<Bytes, byte @Nullable []> run = new TreeMap<>();
    for (int store = 1; store < bytes.length; store++) {
      int count = 2000 + random.nextInt(2000);
      int most = 1 + random.nextInt(100 * store);
      for (int i = 0; i < count; i++) {
        byte[] key = new byte[12];
        random.nextBytes(key);
        key[0] = 0;
        key[1] = (byte) store;
        key[2] = (byte) ingest;
        byte[] value = new byte[20 + random.nextInt(most)];
        random.nextBytes(value);
        if (run.put(Bytes.of(key), value) == null) {
          bytes[store] += key.length + value.length;
        }
      }
    }
    return run;
  }

  private static Bytes store(int number) {
    return Bytes.of(new byte[] {0, (byte) number});
  }
}
