package dev.millrace.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import dev.millrace.spi.Disks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Tests the contract that every [Disks] must keep, also if its disks lose their content when they
/// are closed; see [DurableDiskContract] for those that keep it.
public abstract class DiskContract extends RangeSizeContract {

  /// Returns the number of random histories to test.
  protected int histories() {
    return 30;
  }

  @Test
  void aNewDiskHasNoPositionAndNoEntries() {
    try (Disks disks = openDisks();
        Disk disk = disks.open(TASK)) {
      assertNull(disk.position());
      assertNull(disk.get(key("a")));
      new DiskOracle().check(disk, "new");
    }
  }

  @Test
  void anEmptyRunMovesThePositionAlone() {
    try (Disks disks = openDisks();
        Disk disk = disks.open(TASK)) {
      disk.ingest(run(), text("first"));
      assertArrayEquals(text("first"), disk.position());
      disk.ingest(run("a", "1"), text("second"));
      disk.ingest(run(), text("third"));
      assertArrayEquals(text("third"), disk.position());
      assertArrayEquals(text("1"), disk.get(key("a")));
    }
  }

  @Test
  void anEmptyPositionIsNotAMissingOne() {
    try (Disks disks = openDisks();
        Disk disk = disks.open(TASK)) {
      disk.ingest(run("a", "1"), new byte[0]);
      assertArrayEquals(new byte[0], disk.position());
    }
  }

  @Test
  void thePositionIsACopyBothWays() {
    try (Disks disks = openDisks();
        Disk disk = disks.open(TASK)) {
      byte[] handedIn = text("position");
      disk.ingest(run(), handedIn);
      Arrays.fill(handedIn, (byte) 'x');
      byte[] got = Objects.requireNonNull(disk.position());
      assertArrayEquals(text("position"), got);
      Arrays.fill(Objects.requireNonNull(got), (byte) 'y');
      assertArrayEquals(text("position"), disk.position());
    }
  }

  @Test
  void aLaterRunReplacesAndDeletes() {
    try (Disks disks = openDisks();
        Disk disk = disks.open(TASK)) {
      disk.ingest(run("a", "1", "b", "2", "c", "3"), text("1"));
      disk.ingest(run("a", "4", "b", null, "d", null), text("2"));
      assertArrayEquals(text("4"), disk.get(key("a")));
      assertNull(disk.get(key("b")));
      assertArrayEquals(text("3"), disk.get(key("c")));
      assertNull(disk.get(key("d")));
      disk.ingest(run("b", "5"), text("3"));
      assertArrayEquals(text("5"), disk.get(key("b")));
      assertEquals(List.of("a=4", "b=5", "c=3"), list(disk, new Bytes(), null));
    }
  }

  @Test
  void anEmptyValueIsNotAMissingOne() {
    try (Disks disks = openDisks();
        Disk disk = disks.open(TASK)) {
      disk.ingest(run("a", ""), text("1"));
      assertArrayEquals(new byte[0], disk.get(key("a")));
      assertArrayEquals(new byte[0], disk.multiGet(new Bytes[] {key("a")}, 1)[0]);
      assertEquals(List.of("a="), list(disk, new Bytes(), null));
    }
  }

  @Test
  void keysAreOrderedAsUnsignedBytes() {
    List<Bytes> keys = new ArrayList<>();
    for (int[] bytes :
        new int[][] {
          {0}, {0, 0}, {0, 0xFF}, {1}, {0x7F}, {0x80}, {0xFF}, {0xFF, 0}, {0xFF, 0xFF}
        }) {
      byte[] key = new byte[bytes.length];
      for (int i = 0; i < key.length; i++) {
        key[i] = (byte) bytes[i];
      }
      keys.add(Bytes.of(key));
    }
    try (Disks disks = openDisks();
        Disk disk = disks.open(TASK)) {
      for (int i = keys.size() - 1; i >= 0; i--) {
        SortedMap<Bytes, byte @Nullable []> one = new TreeMap<>();
        one.put(keys.get(i), new byte[] {(byte) i});
        disk.ingest(new MapRun(one), text("p"));
      }
      try (Disk.Cursor cursor = disk.range(new Bytes(), null)) {
        for (int i = 0; i < keys.size(); i++) {
          assertTrue(cursor.next());
          assertEquals(keys.get(i), cursor.key());
          assertEquals(i, cursor.value().get(0));
        }
        assertFalse(cursor.next());
      }
      for (int i = 0; i < keys.size(); i++) {
        assertArrayEquals(new byte[] {(byte) i}, disk.get(keys.get(i)));
      }
    }
  }

  @Test
  void largeKeysAndValuesAreKept() {
    Random random = new Random(7);
    DiskOracle oracle = new DiskOracle();
    try (Disks disks = openDisks();
        Disk disk = disks.open(TASK)) {
      for (int i = 0; i < 3; i++) {
        SortedMap<Bytes, byte @Nullable []> large = new TreeMap<>();
        for (int valueBytes : new int[] {300, 70_000, 3_000_000}) {
          byte[] key = new byte[valueBytes / 100];
          byte[] value = new byte[valueBytes];
          random.nextBytes(key);
          random.nextBytes(value);
          large.put(Bytes.of(key), value);
        }
        byte[] position = new byte[100_000];
        random.nextBytes(position);
        disk.ingest(new MapRun(large), position);
        oracle.ingest(large, position);
        oracle.check(disk, "large");
        Bytes[] keys = large.keySet().toArray(Bytes[]::new);
        byte[] @Nullable [] values = disk.multiGet(keys, keys.length);
        for (int k = 0; k < keys.length; k++) {
          assertArrayEquals(large.get(keys[k]), values[k]);
        }
      }
    }
  }

  @Test
  void multiGetAnswersInTheOrderOfItsKeys() {
    try (Disks disks = openDisks();
        Disk disk = disks.open(TASK)) {
      disk.ingest(run("a", "1", "b", "2", "c", "3"), text("p"));
      disk.ingest(run("b", null), text("p"));
      Bytes[] keys = {key("c"), key("x"), key("a"), key("b"), key("c"), key("never")};
      byte[] @Nullable [] values = disk.multiGet(keys, 5);
      assertEquals(5, values.length);
      assertArrayEquals(text("3"), values[0]);
      assertNull(values[1]);
      assertArrayEquals(text("1"), values[2]);
      assertNull(values[3]);
      assertArrayEquals(text("3"), values[4]);
      assertEquals(0, disk.multiGet(keys, 0).length);
      assertThrows(IndexOutOfBoundsException.class, () -> disk.multiGet(keys, 7));
    }
  }

  @Test
  void multiGetOfManyKeysIsTheSameAsManyGets() {
    SortedMap<Bytes, byte @Nullable []> entries = new TreeMap<>();
    for (int i = 0; i < 3000; i += 3) {
      entries.put(key("key-" + i), text("value-" + i));
    }
    try (Disks disks = openDisks();
        Disk disk = disks.open(TASK)) {
      disk.ingest(new MapRun(entries), text("p"));
      for (int count : new int[] {1, 127, 600, 1025, 3000}) {
        Bytes[] keys = new Bytes[count];
        Arrays.setAll(keys, i -> key("key-" + (i * 7 % 3000)));
        byte[] @Nullable [] values = disk.multiGet(keys, count);
        for (int i = 0; i < count; i++) {
          assertArrayEquals(entries.get(keys[i]), values[i], keys[i]::toUtf8);
        }
      }
    }
  }

  @Test
  void keysMayLieAnywhereInAnArray() {
    byte[] memory = text("..key-b..");
    Bytes inside = new Bytes().set(memory, 2, 5);
    try (Disks disks = openDisks();
        Disk disk = disks.open(TASK)) {
      disk.ingest(run("key-a", "1", "key-b", "2", "key-c", "3"), text("p"));
      assertArrayEquals(text("2"), disk.get(inside));
      assertArrayEquals(text("2"), disk.multiGet(new Bytes[] {inside}, 1)[0]);
      assertEquals(List.of("key-b=2", "key-c=3"), list(disk, inside, null));
      assertEquals(List.of("key-a=1"), list(disk, new Bytes(), inside));
      try (Disk.Cursor cursor = disk.range(new Bytes(), inside)) {
        Arrays.fill(memory, (byte) 'z');
        assertTrue(cursor.next());
        assertFalse(cursor.next(), "a cursor must not depend on the bounds after the call");
      }
    }
  }

  @Test
  void aRangeHasItsStartAndNotItsEnd() {
    try (Disks disks = openDisks();
        Disk disk = disks.open(TASK)) {
      disk.ingest(run("a", "1", "b", "2", "c", "3"), text("p"));
      disk.ingest(run("bb", "4"), text("p"));
      assertEquals(List.of("a=1", "b=2", "bb=4", "c=3"), list(disk, new Bytes(), null));
      assertEquals(List.of("b=2", "bb=4"), list(disk, key("b"), key("c")));
      assertEquals(List.of("bb=4", "c=3"), list(disk, key("ba"), key("d")));
      assertEquals(List.of("c=3"), list(disk, key("c"), null));
      assertEquals(List.of(), list(disk, key("d"), null));
      assertEquals(List.of(), list(disk, key("b"), key("b")));
      assertEquals(List.of(), list(disk, key("c"), key("a")));
      assertEquals(List.of(), list(disk, new Bytes(), new Bytes()));
    }
  }

  @Test
  void aCursorHasAnEntryOnlyAfterAMove() {
    try (Disks disks = openDisks();
        Disk disk = disks.open(TASK)) {
      disk.ingest(run("a", "1"), text("p"));
      try (Disk.Cursor cursor = disk.range(new Bytes(), null)) {
        assertThrows(IllegalStateException.class, cursor::key);
        assertThrows(IllegalStateException.class, cursor::value);
        assertTrue(cursor.next());
        assertEquals(key("a"), cursor.key());
        assertEquals(key("a"), cursor.key());
        assertFalse(cursor.next());
        assertThrows(IllegalStateException.class, cursor::key);
        assertFalse(cursor.next());
      }
    }
  }

  @Test
  void aClosedCursorRefusesEverything() {
    try (Disks disks = openDisks();
        Disk disk = disks.open(TASK)) {
      disk.ingest(run("a", "1"), text("p"));
      Disk.Cursor cursor = disk.range(new Bytes(), null);
      assertTrue(cursor.next());
      cursor.close();
      cursor.close();
      assertThrows(IllegalStateException.class, cursor::next);
      assertThrows(IllegalStateException.class, cursor::key);
      assertThrows(IllegalStateException.class, cursor::value);
    }
  }

  @Test
  void aCursorNeverShowsALaterIngest() {
    try (Disks disks = openDisks();
        Disk disk = disks.open(TASK)) {
      disk.ingest(run("a", "1", "b", "2"), text("p"));
      try (Disk.Cursor cursor = disk.range(new Bytes(), null)) {
        assertTrue(cursor.next());
        disk.ingest(run("a", "3", "b", null, "c", "4"), text("q"));
        List<String> seen = new ArrayList<>();
        try {
          while (cursor.next()) {
            seen.add(cursor.key().toUtf8() + "=" + cursor.value().toUtf8());
          }
          assertEquals(List.of("b=2"), seen);
        } catch (IllegalStateException e) {
          assertEquals(List.of(), seen, "it may fail, but at once");
        }
      }
      assertEquals(List.of("a=3", "c=4"), list(disk, new Bytes(), null));
    }
  }

  @Test
  void twoCursorsMoveByThemselves() {
    try (Disks disks = openDisks();
        Disk disk = disks.open(TASK)) {
      disk.ingest(run("a", "1", "b", "2"), text("p"));
      try (Disk.Cursor first = disk.range(new Bytes(), null);
          Disk.Cursor second = disk.range(new Bytes(), null)) {
        assertTrue(first.next());
        assertTrue(first.next());
        assertTrue(second.next());
        assertEquals(key("b"), first.key());
        assertEquals(key("a"), second.key());
      }
    }
  }

  @Test
  void theEmptyKeyIsReserved() {
    try (Disks disks = openDisks();
        Disk disk = disks.open(TASK)) {
      disk.ingest(run("a", "1"), text("p"));
      Bytes empty = new Bytes();
      assertThrows(IllegalArgumentException.class, () -> disk.get(empty));
      assertThrows(
          IllegalArgumentException.class, () -> disk.multiGet(new Bytes[] {key("a"), empty}, 2));
      assertThrows(
          IllegalArgumentException.class, () -> disk.ingest(run("", "x", "a", "2"), text("q")));
      assertArrayEquals(text("p"), disk.position());
      assertArrayEquals(text("1"), disk.get(key("a")));
    }
  }

  @Test
  void aRunOutOfOrderChangesNothing() {
    List<Map.Entry<Bytes, byte @Nullable []>> descending =
        List.of(Map.entry(key("b"), text("2")), Map.entry(key("a"), text("1")));
    List<Map.Entry<Bytes, byte @Nullable []>> twice =
        List.of(Map.entry(key("b"), text("2")), Map.entry(key("b"), text("1")));
    try (Disks disks = openDisks();
        Disk disk = disks.open(TASK)) {
      disk.ingest(run("x", "1"), text("p"));
      for (var entries : List.of(descending, twice)) {
        assertThrows(
            IllegalArgumentException.class,
            () -> disk.ingest(new MapRun(entries.iterator()), text("q")));
        assertArrayEquals(text("p"), disk.position());
        assertEquals(List.of("x=1"), list(disk, new Bytes(), null));
      }
      disk.ingest(run("b", "2"), text("q"));
      assertEquals(List.of("b=2", "x=1"), list(disk, new Bytes(), null));
    }
  }

  @Test
  void aRunThatThrowsChangesNothing() {
    try (Disks disks = openDisks();
        Disk disk = disks.open(TASK)) {
      disk.ingest(run("x", "1"), text("p"));
      Disk.SortedRun throwing = new ThrowingRun(run("a", "1", "b", "2", "c", "3"), 2);
      assertThrows(UnsupportedOperationException.class, () -> disk.ingest(throwing, text("q")));
      assertArrayEquals(text("p"), disk.position());
      assertEquals(List.of("x=1"), list(disk, new Bytes(), null));
      disk.ingest(run("a", "2"), text("q"));
      assertEquals(List.of("a=2", "x=1"), list(disk, new Bytes(), null));
    }
  }

  @Test
  void aClosedDiskRefusesEverything() {
    try (Disks disks = openDisks()) {
      Disk disk = disks.open(TASK);
      disk.ingest(run("a", "1"), text("p"));
      Disk.Cursor cursor = disk.range(new Bytes(), null);
      assertTrue(cursor.next());
      disk.close();
      disk.close();
      assertThrows(IllegalStateException.class, disk::position);
      assertThrows(IllegalStateException.class, () -> disk.get(key("a")));
      assertThrows(IllegalStateException.class, () -> disk.multiGet(new Bytes[] {key("a")}, 1));
      assertThrows(IllegalStateException.class, () -> disk.range(new Bytes(), null));
      assertThrows(IllegalStateException.class, () -> disk.ingest(run(), text("q")));
      assertThrows(IllegalStateException.class, disk::sizeBytes);
      assertThrows(IllegalStateException.class, cursor::next);
      assertThrows(IllegalStateException.class, cursor::key);
      cursor.close();
    }
  }

  @Test
  void theSizeFollowsTheContent() {
    Random random = new Random(11);
    try (Disks disks = openDisks();
        Disk disk = disks.open(TASK)) {
      assertTrue(disk.sizeBytes() < 10_000);
      SortedMap<Bytes, byte @Nullable []> run = new TreeMap<>();
      for (int i = 0; i < 1000; i++) {
        byte[] value = new byte[1000];
        random.nextBytes(value);
        run.put(key("key-" + i), value);
      }
      disk.ingest(new MapRun(run), text("p"));
      assertTrue(disk.sizeBytes() > 900_000, "1000 entries of 1000 random bytes");
      assertTrue(disk.sizeBytes() < 1_500_000, "1000 entries of 1000 random bytes");
    }
  }

  @Test
  void randomHistoriesAgreeWithATree() {
    for (long seed = 0; seed < histories(); seed++) {
      try (Disks disks = openDisks()) {
        String task = "random-" + seed;
        try (Disk disk = disks.open(task)) {
          randomSteps(disk, new DiskOracle(), new Random(seed), "seed " + seed);
        }
        disks.wipe(task);
      }
    }
  }

  /// Does some forty random things to a disk and checks it against the oracle, which does them too.
  protected static void randomSteps(Disk disk, DiskOracle oracle, Random random, String about) {
    for (int step = 0; step < 40; step++) {
      String at = about + ", step " + step;
      switch (random.nextInt(5)) {
        case 0, 1 -> {
          var run = DiskOracle.randomRun(random, random.nextInt(10) == 0 ? 2000 : 20);
          byte[] position = text("position " + random.nextInt());
          if (random.nextBoolean()) {
            inBackground(disk, oracle, run, position, random, at);
          } else {
            disk.ingest(new MapRun(run), position);
          }
          oracle.ingest(run, position);
          assertArrayEquals(position, disk.position(), at);
        }
        case 2 -> {
          Bytes key = DiskOracle.randomKey(random);
          assertArrayEquals(oracle.get(key), disk.get(key), at);
        }
        case 3 -> {
          Bytes[] keys = new Bytes[random.nextInt(600)];
          Arrays.setAll(keys, i -> DiskOracle.randomKey(random));
          byte[] @Nullable [] values = disk.multiGet(keys, keys.length);
          for (int i = 0; i < keys.length; i++) {
            assertArrayEquals(oracle.get(keys[i]), values[i], at);
          }
        }
        default -> {
          Bytes from = random.nextInt(4) == 0 ? new Bytes() : DiskOracle.randomKey(random);
          Bytes to = random.nextInt(4) == 0 ? null : DiskOracle.randomKey(random);
          oracle.checkRange(disk, from, to, at);
        }
      }
    }
    oracle.check(disk, about);
  }

  /// Ingests and looks at keys meanwhile: those of the run have an old or a new value.
  private static void inBackground(
      Disk disk,
      DiskOracle oracle,
      SortedMap<Bytes, byte @Nullable []> run,
      byte[] position,
      Random random,
      String at) {
    byte[] before = disk.position();
    Disk.Ingest ingest = disk.prepare(new MapRun(run), position);
    for (int i = 0; i < 200 && !ingest.ready(); i++) {
      Bytes key = DiskOracle.randomKey(random);
      byte[] found = disk.get(key);
      if (!run.containsKey(key) || !Arrays.equals(run.get(key), found)) {
        assertArrayEquals(oracle.get(key), found, at);
      }
      assertArrayEquals(before, disk.position(), at);
    }
    ingest.finish();
  }
}
