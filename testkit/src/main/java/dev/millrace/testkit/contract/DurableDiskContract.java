package dev.millrace.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskException;
import dev.millrace.spi.Disks;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/// Tests the contract of every [Disks] whose disks survive the process.
///
/// [#openDisks] opens the same state every time, and only once at a time.
public abstract class DurableDiskContract extends DiskContract {

  @Test
  void whatWasIngestedIsThereAfterReopening() {
    try (Disks disks = openDisks();
        Disk disk = disks.open(TASK)) {
      disk.ingest(run("a", "1", "b", "2"), text("p"));
      disk.ingest(run("b", null, "c", "3"), text("q"));
    }
    for (int i = 0; i < 3; i++) {
      try (Disks disks = openDisks();
          Disk disk = disks.open(TASK)) {
        assertArrayEquals(text("q"), disk.position());
        assertEquals(List.of("a=1", "c=3"), list(disk, new Bytes(), null));
      }
    }
  }

  @Test
  void aDiskWithoutAnIngestStaysWithoutAPosition() {
    for (int i = 0; i < 3; i++) {
      try (Disks disks = openDisks();
          Disk disk = disks.open(TASK)) {
        assertNull(disk.position());
      }
    }
  }

  @Test
  void aPositionWithoutEntriesIsThereAfterReopening() {
    try (Disks disks = openDisks();
        Disk disk = disks.open(TASK)) {
      disk.ingest(run(), new byte[0]);
    }
    try (Disks disks = openDisks();
        Disk disk = disks.open(TASK)) {
      assertArrayEquals(new byte[0], disk.position());
      assertEquals(List.of(), list(disk, new Bytes(), null));
    }
  }

  @Test
  void whatWasWipedIsNotThereAfterReopening() {
    try (Disks disks = openDisks()) {
      try (Disk disk = disks.open(TASK)) {
        disk.ingest(run("a", "1"), text("p"));
      }
      disks.wipe(TASK);
    }
    try (Disks disks = openDisks();
        Disk disk = disks.open(TASK)) {
      new DiskOracle().check(disk, "wiped");
    }
  }

  @Test
  void aTaskIsHeldByOneAtATime() {
    try (Disks disks = openDisks();
        Disk disk = disks.open(TASK)) {
      disk.ingest(run("a", "1"), text("p"));
      assertKind(DiskException.Kind.IN_USE, () -> openElsewhere(Disks::open));
      assertKind(DiskException.Kind.IN_USE, () -> openElsewhere(Disks::wipe));
      assertEquals(List.of("a=1"), list(disk, new Bytes(), null));
    }
    openElsewhere(Disks::open);
    openElsewhere(Disks::wipe);
  }

  /// As another process would, which may be refused all of the disks or that of the task.
  private void openElsewhere(BiConsumer<Disks, String> action) {
    try (Disks disks = openDisks()) {
      action.accept(disks, TASK);
    }
  }

  @Test
  void randomHistoriesWithReopeningsAgreeWithATree() {
    for (long seed = 1000; seed < 1000 + histories(); seed++) {
      Random random = new Random(seed);
      DiskOracle oracle = new DiskOracle();
      for (int life = 0; life < 4; life++) {
        String about = "seed %d, life %d".formatted(seed, life);
        try (Disks disks = openDisks();
            Disk disk = disks.open("random-" + seed)) {
          oracle.check(disk, about);
          randomSteps(disk, oracle, random, about);
        }
      }
      try (Disks disks = openDisks()) {
        disks.wipe("random-" + seed);
      }
    }
  }
}
