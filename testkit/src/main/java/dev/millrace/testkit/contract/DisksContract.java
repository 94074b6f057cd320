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
import java.util.SortedMap;
import java.util.TreeMap;
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
