package dev.millrace.testkit.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.millrace.internal.state.run.SortedRunDisks;
import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskException;
import dev.millrace.spi.Disks;
import dev.millrace.testkit.contract.NumberedIngests;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/// Whatever happens to the files of sorted runs, nothing wrong is read: every byte is under a
/// checksum.
class SortedRunCorruptionTest {
  private static final String TASK = "1-3";

  @Test
  void everyFlippedBitIsNoticed() {
    for (long seed = 0; seed < 1_500; seed++) {
      expectCorrupt(
          seed,
          (files, random) -> {
            String name = anyFile(files, random);
            int flips = 1 + random.nextInt(3);
            for (int i = 0; i < flips; i++) {
              files.flipBit(name, random.nextLong(8L * files.lengthOf(name)));
            }
          });
    }
  }

  @Test
  void everyTruncatedFileIsNoticed() {
    for (long seed = 0; seed < 500; seed++) {
      expectCorrupt(
          seed,
          (files, random) -> {
            String name = anyFile(files, random);
            files.truncate(name, random.nextInt(files.lengthOf(name)));
          });
    }
  }

  @Test
  void everyMissingFileIsNoticed() {
    for (long seed = 0; seed < 100; seed++) {
      expectCorrupt(seed, (files, random) -> files.remove(anyFile(files, random)));
    }
  }

  @Test
  void aCorruptTaskCanBeWipedAndUsedAgain() {
    ModelFiles files = filled(3, 10);
    files.flipBit(TASK + ".manifest", 77);
    try (Disks disks = new SortedRunDisks(files.mount(), 3)) {
      assertThrows(DiskException.class, () -> disks.open(TASK));
      disks.wipe(TASK);
      NumberedIngests ingests = new NumberedIngests(3, 30);
      try (Disk disk = disks.open(TASK)) {
        ingests.check(disk, 0, 0, "wiped");
        ingests.ingest(disk, 1);
        ingests.check(disk, 1, 1, "wiped");
      }
    }
  }

  private static void expectCorrupt(long seed, BiConsumer<ModelFiles, Random> damage) {
    Random random = new Random(seed);
    int ingested = 5 + random.nextInt(10);
    ModelFiles files = filled(seed, ingested);
    damage.accept(files, random);
    DiskException failure =
        assertThrows(
            DiskException.class,
            () -> {
              try (Disks disks = new SortedRunDisks(files.mount(), 3);
                  Disk disk = disks.open(TASK)) {
                new NumberedIngests(seed, 30).check(disk, ingested, ingested, "seed " + seed);
              }
            },
            () -> "seed " + seed + " reads as if nothing had happened");
    assertEquals(
        DiskException.Kind.CORRUPT, failure.kind(), "seed " + seed + ": " + failure.getMessage());
  }

  private static ModelFiles filled(long seed, int count) {
    ModelFiles files = new ModelFiles(seed);
    NumberedIngests ingests = new NumberedIngests(seed, 30);
    try (Disks disks = new SortedRunDisks(files.mount(), 3);
        Disk disk = disks.open(TASK)) {
      for (int number = 1; number <= count; number++) {
        ingests.ingest(disk, number);
      }
    }
    return files;
  }

  private static String anyFile(ModelFiles files, Random random) {
    List<String> names = List.copyOf(files.names());
    return names.get(random.nextInt(names.size()));
  }
}
