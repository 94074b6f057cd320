package dev.millrace.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskException;
import dev.millrace.spi.Disks;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Tests the contract of every [Disks], and has the shared parts of the suites of disks.
public abstract class DisksContract {
  protected static final String TASK = "1-3";

  /// Opens the disks. Called again only after the disks of the last call are closed.
  protected abstract Disks openDisks();

  @Test
  void aTaskHasOneOpenDisk() {
    try (Disks disks = openDisks()) {
      Disk disk = disks.open(TASK);
      assertKind(DiskException.Kind.IN_USE, () -> disks.open(TASK));
      assertKind(DiskException.Kind.IN_USE, () -> disks.wipe(TASK));
      disk.ingest(run("a", "1"), text("p"));
      assertArrayEquals(text("1"), disk.get(key("a")));
      disk.close();
      disks.open(TASK).close();
    }
  }

  @Test
  void tasksDoNotSeeEachOther() {
    try (Disks disks = openDisks();
        Disk one = disks.open("1-3");
        Disk other = disks.open("1-31")) {
      one.ingest(run("a", "1"), text("p"));
      other.ingest(run("a", "2"), text("q"));
      assertArrayEquals(text("1"), one.get(key("a")));
      assertArrayEquals(text("2"), other.get(key("a")));
      assertArrayEquals(text("p"), one.position());
    }
  }

  @Test
  void aWipedTaskStartsAnew() {
    try (Disks disks = openDisks();
        Disk other = disks.open("1-31")) {
      other.ingest(run("a", "1"), text("q"));
      try (Disk disk = disks.open(TASK)) {
        disk.ingest(run("a", "1"), text("p"));
      }
      disks.wipe(TASK);
      disks.wipe(TASK);
      disks.wipe("never-there");
      try (Disk disk = disks.open(TASK)) {
        new DiskOracle().check(disk, "wiped");
        disk.ingest(run("b", "1"), text("p"));
        assertEquals(List.of("b=1"), list(disk, new Bytes(), null));
      }
      assertEquals(List.of("a=1"), list(other, new Bytes(), null));
    }
  }

  /// In random order, against a set; a wipe and an opening of one that is open are refused.
  @Test
  void theTasksThatHaveStateAreThoseThatWereOpenedAndNotWiped() {
    for (long seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      try (Disks disks = openDisks()) {
        boolean durable = disks.durable();
        SortedSet<String> stored = new TreeSet<>();
        SortedMap<String, Disk> open = new TreeMap<>();
        for (int step = 0; step < 40; step++) {
          String task = "%d-%d".formatted(seed, random.nextInt(4));
          Disk isOpen = open.get(task);
          switch (random.nextInt(3)) {
            case 0 -> {
              if (isOpen == null) {
                open.put(task, disks.open(task));
                stored.add(task);
              } else {
                assertKind(DiskException.Kind.IN_USE, () -> disks.open(task));
              }
            }
            case 1 -> {
              if (isOpen == null) {
                disks.wipe(task);
                stored.remove(task);
              } else {
                assertKind(DiskException.Kind.IN_USE, () -> disks.wipe(task));
              }
            }
            default -> {
              if (isOpen != null) {
                isOpen.close();
                open.remove(task);
              }
            }
          }
          assertEquals(durable ? stored : new TreeSet<>(), ofSeed(disks, seed), "seed " + seed);
        }
        open.values().forEach(Disk::close);
        stored.forEach(disks::wipe);
        assertEquals(new TreeSet<>(), ofSeed(disks, seed));
      }
    }
  }

  private static SortedSet<String> ofSeed(Disks disks, long seed) {
    SortedSet<String> tasks = new TreeSet<>(disks.stored());
    tasks.removeIf(task -> !task.startsWith(seed + "-"));
    return tasks;
  }

  /// Each thread has tasks of its own, as a worker has, and all of them want one more, which at
  /// most one has at a time.
  @Test
  void threadsOpenCloseAndWipeTasksSideBySide() throws Exception {
    int threads = 4;
    AtomicInteger holders = new AtomicInteger();
    try (Disks disks = openDisks();
        ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<?>> ends = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        int number = thread;
        ends.add(pool.submit(() -> useTasks(disks, number, holders)));
      }
      for (Future<?> end : ends) {
        end.get();
      }
      disks.open("wanted").close();
    }
  }

  private static void useTasks(Disks disks, int thread, AtomicInteger holders) {
    String own = "own-" + thread;
    String value = Integer.toString(thread);
    boolean kept = false;
    for (int round = 0; round < 12; round++) {
      try (Disk disk = disks.open(own)) {
        assertEquals(kept ? List.of("a=" + value) : List.of(), list(disk, new Bytes(), null));
        disk.ingest(run("a", value), text("p"));
      }
      kept = disks.durable();
      if (round % 3 == 2) {
        disks.wipe(own);
        kept = false;
      }
      try (Disk wanted = disks.open("wanted")) {
        assertEquals(1, holders.incrementAndGet());
        wanted.ingest(run("a", value), text("p"));
        assertEquals(List.of("a=" + value), list(wanted, new Bytes(), null));
        holders.decrementAndGet();
      } catch (DiskException e) {
        assertEquals(DiskException.Kind.IN_USE, e.kind(), e.getMessage());
      }
    }
  }

  @Test
  void aTaskIsNamedByLettersDigitsAndHyphens() {
    try (Disks disks = openDisks()) {
      for (String name :
          List.of(
              "", ".", "..", "a/b", "/tmp", "a.b", "a b", "a\\b", "ä", "a\0", "a".repeat(101))) {
        assertThrows(IllegalArgumentException.class, () -> disks.open(name), name);
        assertThrows(IllegalArgumentException.class, () -> disks.wipe(name), name);
      }
      for (String name : List.of("1-3", "LOCK", "-", "a".repeat(100))) {
        disks.open(name).close();
      }
    }
  }

  @Test
  void closingTheDisksClosesEachDisk() {
    Disks disks = openDisks();
    Disk one = disks.open("1-1");
    Disk two = disks.open("1-2");
    two.ingest(run("a", "1"), text("p"));
    disks.close();
    assertThrows(IllegalStateException.class, one::position);
    assertThrows(IllegalStateException.class, two::position);
    assertThrows(IllegalStateException.class, () -> disks.open("1-1"));
    assertThrows(IllegalStateException.class, () -> disks.wipe("1-1"));
    try (Disks again = openDisks()) {
      again.open("1-1").close();
    }
  }

  protected static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  protected static Bytes key(String text) {
    return Bytes.ofUtf8(text);
  }

  /// A run of keys and values in turn; a null value deletes.
  protected static Disk.SortedRun run(@Nullable String... keysAndValues) {
    SortedMap<Bytes, byte @Nullable []> entries = new TreeMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      String value = keysAndValues[i + 1];
      entries.put(key(String.valueOf(keysAndValues[i])), value == null ? null : text(value));
    }
    return new MapRun(entries);
  }

  /// The entries of a range as `key=value`.
  protected static List<String> list(Disk disk, Bytes from, @Nullable Bytes to) {
    List<String> entries = new ArrayList<>();
    try (Disk.Cursor cursor = disk.range(from, to)) {
      while (cursor.next()) {
        entries.add(cursor.key().toUtf8() + "=" + cursor.value().toUtf8());
      }
    }
    return entries;
  }

  protected static DiskException assertKind(DiskException.Kind kind, Runnable action) {
    DiskException failure = assertThrows(DiskException.class, action::run);
    assertEquals(kind, failure.kind(), failure.getMessage());
    return failure;
  }
}
