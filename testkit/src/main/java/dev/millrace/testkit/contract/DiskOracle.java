package dev.millrace.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import dev.millrace.testkit.KeyPool;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What a disk must hold after a number of ingests, kept in a tree, and the random runs that made
/// it so.
public final class DiskOracle {
  private final NavigableMap<Bytes, byte[]> entries = new TreeMap<>();
  private byte @Nullable [] position;

  /// A copy that goes on by itself.
  public DiskOracle copy() {
    DiskOracle copy = new DiskOracle();
    copy.entries.putAll(entries);
    copy.position = position;
    return copy;
  }

  /// Does what [Disk#ingest] must do.
  public void ingest(SortedMap<Bytes, byte @Nullable []> run, byte[] newPosition) {
    run.forEach((key, value) -> {
      if (value == null) {
        entries.remove(key);
      } else {
        entries.put(key, value);
      }
    });
    position = newPosition.clone();
  }

  public byte @Nullable [] position() {
    return position;
  }

  public byte @Nullable [] get(Bytes key) {
    return entries.get(key);
  }

  /// The entries that [Disk#range] must show.
  public SortedMap<Bytes, byte[]> range(Bytes from, @Nullable Bytes to) {
    if (to == null) {
      return entries.tailMap(from, true);
    }
    return from.compareTo(to) < 0 ? entries.subMap(from, true, to, false) : new TreeMap<>();
  }

  /// Checks a disk's position and all its entries, by range and one by one.
  ///
  /// @param about said when it differs, such as the seed
  public void check(Disk disk, String about) {
    assertArrayEquals(position, disk.position(), () -> about + ": position");
    checkRange(disk, new Bytes(), null, about);
    entries.forEach(
        (key, value) -> assertArrayEquals(value, disk.get(key), () -> about + ": " + key));
  }

  /// Checks one range of a disk.
  public void checkRange(Disk disk, Bytes from, @Nullable Bytes to, String about) {
    try (Disk.Cursor cursor = disk.range(from, to)) {
      for (Map.Entry<Bytes, byte[]> entry : range(from, to).entrySet()) {
        assertTrue(cursor.next(), () -> about + ": range ends before " + entry.getKey());
        assertEquals(entry.getKey(), cursor.key(), () -> about + ": key in range");
        assertArrayEquals(
            entry.getValue(),
            cursor.value().toByteArray(),
            () -> about + ": value in range of " + entry.getKey());
      }
      assertFalse(cursor.next(), () -> about + ": range has more than it should");
    }
  }

  /// A random key out of few, so that they meet again; some are prefixes of others.
  public static Bytes randomKey(Random random) {
    Bytes key = KeyPool.anyBytes(random);
    while (key.length() == 0) {
      key = KeyPool.anyBytes(random);
    }
    return key;
  }

  /// A random run of at most `most` entries, a quarter of them deletions.
  public static SortedMap<Bytes, byte @Nullable []> randomRun(Random random, int most) {
    SortedMap<Bytes, byte @Nullable []> run = new TreeMap<>();
    int count = random.nextInt(most + 1);
    for (int i = 0; i < count; i++) {
      run.put(randomKey(random), random.nextInt(4) == 0 ? null : randomValue(random));
    }
    return run;
  }

  private static byte[] randomValue(Random random) {
    byte[] value = new byte[random.nextInt(20) == 0 ? random.nextInt(5000) : random.nextInt(30)];
    random.nextBytes(value);
    return value;
  }
}
