package dev.millrace.internal.state.rocksdb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import dev.millrace.testkit.contract.MapRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a range takes on disk: compressed bytes, as they are in its files.
class RangeSizeTest {
  private static final int STORES = 3;

  @TempDir private Path directory;

  /// The independent count is what the files take of a database that has this store alone.
  @Test
  void valuesThatCanBeCompressedCountAsTheyAreInFiles() throws IOException {
    for (long seed = 0; seed < 4; seed++) {
      try (RocksDisks disks = disks("together" + seed);
          Disk together = disks.open("t")) {
        SortedMap<Bytes, byte @Nullable []> all = new TreeMap<>();
        long[] alone = new long[STORES + 1];
        for (int store = 1; store <= STORES; store++) {
          SortedMap<Bytes, byte @Nullable []> entries =
              entries(new Random(seed * 10 + store), store);
          all.putAll(entries);
          alone[store] = takenAlone("alone" + seed + "-" + store, entries);
        }
        together.ingest(new MapRun(all), new byte[] {1});
        for (int store = 1; store <= STORES; store++) {
          long found = together.sizeBytes(store(store), store(store + 1));
          assertTrue(
              found > 0.8 * alone[store] && found < 1.2 * alone[store],
              "seed %d, store %d: alone it takes %d bytes, and here %d"
                  .formatted(seed, store, alone[store], found));
        }
      }
    }
  }

  /// RocksDB alone would give all of a block to one of the stores in it.
  @Test
  void fewEntriesAreCounted() {
    try (RocksDisks disks = disks("few");
        Disk disk = disks.open("t")) {
      SortedMap<Bytes, byte @Nullable []> all = new TreeMap<>();
      for (int store = 1; store <= STORES; store++) {
        for (int i = 0; i < 10 * store; i++) {
          all.put(Bytes.of(new byte[] {0, (byte) store, (byte) i}), new byte[7]);
        }
      }
      disk.ingest(new MapRun(all), new byte[] {1});
      for (int store = 1; store <= STORES; store++) {
        assertEquals(100L * store, disk.sizeBytes(store(store), store(store + 1)));
      }
      assertEquals(0, disk.sizeBytes(store(STORES + 1), store(STORES + 2)));
    }
  }

  @Test
  void aRangeOfMiddleSizeIsEstimated() {
    try (RocksDisks disks = disks("middle");
        Disk disk = disks.open("t")) {
      SortedMap<Bytes, byte @Nullable []> all = new TreeMap<>();
      Random random = new Random(5);
      for (int i = 0; i < 100; i++) {
        byte[] value = new byte[497];
        random.nextBytes(value);
        all.put(Bytes.of(new byte[] {0, 2, (byte) i}), value);
      }
      disk.ingest(new MapRun(all), new byte[] {1});
      long found = disk.sizeBytes(store(2), store(3));
      assertTrue(found > 40_000 && found < 60_000, "50000 bytes were put, and it has " + found);
      assertEquals(0, disk.sizeBytes(store(1), store(2)));
    }
  }

  private RocksDisks disks(String name) {
    return new RocksDisks(directory.resolve(name), RocksDiskConfig.defaults());
  }

  private long takenAlone(String name, SortedMap<Bytes, byte @Nullable []> entries)
      throws IOException {
    try (RocksDisks disks = disks(name);
        Disk disk = disks.open("t")) {
      disk.ingest(new MapRun(entries), new byte[] {1});
      try (Stream<Path> files = Files.walk(directory.resolve(name))) {
        long bytes = 0;
        for (Path file : files.filter(each -> each.toString().endsWith(".sst")).toList()) {
          bytes += Files.size(file);
        }
        return bytes;
      }
    }
  }

  /// Values of which a random part repeats a byte.
  private static SortedMap<Bytes, byte @Nullable []> entries(Random random, int store) {
    SortedMap<Bytes, byte @Nullable []> entries = new TreeMap<>();
    int count = 10_000 + random.nextInt(10_000);
    for (int i = 0; i < count; i++) {
      byte[] key = new byte[10];
      random.nextBytes(key);
      key[0] = 0;
      key[1] = (byte) store;
      byte[] value = new byte[100 * store];
      random.nextBytes(value);
      Arrays.fill(value, 0, random.nextInt(value.length), (byte) 'x');
      entries.put(Bytes.of(key), value);
    }
    return entries;
  }

  private static Bytes store(int number) {
    return Bytes.of(new byte[] {0, (byte) number});
  }
}
