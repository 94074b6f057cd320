package dev.millrace.testkit.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.state.run.RunFiles;
import dev.millrace.internal.state.run.SortedRunDisks;
import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskException;
import dev.millrace.spi.Disks;
import dev.millrace.testkit.contract.NumberedIngests;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;

/// The one promise of a disk, kept by sorted runs whatever the file system does.
class SortedRunCrashTest {
  private static final String TASK = "1-3";
  private static final int MOST_RUNS = 3;
  private static final int INGESTS = 8;

  @Test
  void aCrashAtAnyOperationLeavesAPrefixOfTheIngests() {
    long crashes = 0;
    for (long seed = 0; seed < 30; seed++) {
      long operations = new Life(seed, files -> files).operationsWithoutCrash();
      for (long at = 1; at <= operations; at++) {
        new Life(seed, files -> files).crashAndRecover(at);
        crashes++;
      }
    }
    assertTrue(crashes > 2_500, "only " + crashes + " crashes");
  }

  @Test
  void aMissingSyncOfContentIsNoticed() {
    assertNoticed(ForgetfulFiles.Omission.SYNC_OF_CONTENT);
  }

  @Test
  void aMissingSyncOfNamesIsNoticed() {
    assertNoticed(ForgetfulFiles.Omission.SYNC_OF_NAMES);
  }

  @Test
  void afterAnErrorTheDiskIsAsBeforeOrRefuses() {
    for (long seed = 0; seed < 6; seed++) {
      long operations = new Life(seed, files -> files).operationsWithoutCrash();
      for (long at = 1; at <= operations; at++) {
        new Life(seed, files -> files).failAndGoOn(at, at);
        new Life(seed, files -> files).failAndGoOn(at, at + 4);
      }
    }
  }

  @Test
  void aFullDiskTakesNothingUntilThereIsSpaceAgain() {
    int refusals = 0;
    for (long seed = 0; seed < 10; seed++) {
      for (long limit = 0; limit < 6_000; limit += 97) {
        refusals += new Life(seed, files -> files).fillUpAndGoOn(limit);
      }
    }
    assertTrue(refusals > 250, "only " + refusals + " refusals");
  }

  private static void assertNoticed(ForgetfulFiles.Omission omission) {
    assertThrows(
        AssertionFailedError.class,
        () -> {
          for (long seed = 0; seed < 60; seed++) {
            for (long at = 1; at <= 100; at++) {
              new Life(seed, files -> new ForgetfulFiles(files, omission)).crashAndRecover(at);
            }
          }
        });
  }

  /// A model disk, the processes that use it one after another, and what was ingested and
  /// acknowledged.
  private static final class Life {
    private final long seed;
    private final Random random;
    private final ModelFiles files;
    private final UnaryOperator<RunFiles> seenThrough;
    private final NumberedIngests ingests;
    private long called;
    private long acknowledged;

    Life(long seed, UnaryOperator<RunFiles> seenThrough) {
      this.seed = seed;
      this.seenThrough = seenThrough;
      random = new Random(seed);
      files = new ModelFiles(seed);
      ingests = new NumberedIngests(seed, 30);
    }

    long operationsWithoutCrash() {
      work("without a crash");
      return files.operations();
    }

    /// Crashes at an operation, then perhaps again while recovering, and at last checks and goes
    /// on.
    void crashAndRecover(long at) {
      random.setSeed(seed * 31 + at);
      String about = "seed %d, crash at operation %d".formatted(seed, at);
      files.crashAt(at);
      boolean crashed = workUntilCrash(about);
      while (crashed && random.nextInt(3) == 0) {
        endProcess();
        files.crashAt(files.operations() + 1 + random.nextInt(30));
        crashed = workUntilCrash(about);
      }
      endProcess();
      work(about);
      endProcess();
      called = acknowledged;
      checkReopened(about);
    }

    /// Lets operations fail, and then expects the same ingests to succeed.
    void failAndGoOn(long first, long last) {
      String about = "seed %d, failing from operation %d to %d".formatted(seed, first, last);
      files.failBetween(first, last);
      while (acknowledged < INGESTS) {
        try (Disks disks = openDisks()) {
          ingestDespiteFailures(disks, about);
        } catch (DiskException e) {
          assertEquals(DiskException.Kind.IO, e.kind(), about + ": " + e.getMessage());
        }
        files.kill();
      }
      files.failBetween(Long.MAX_VALUE, Long.MAX_VALUE);
      called = acknowledged;
      checkReopened(about);
    }

    /// @return how often an ingest was refused
    int fillUpAndGoOn(long limitBytes) {
      String about = "seed %d, limit of %d bytes".formatted(seed, limitBytes);
      int refused = 0;
      try (Disks disks = openDisks();
          Disk disk = disks.open(TASK)) {
        files.limitBytes(limitBytes);
        while (acknowledged < INGESTS) {
          try {
            ingestNext(disk);
          } catch (DiskException e) {
            assertEquals(DiskException.Kind.FULL, e.kind(), about + ": " + e.getMessage());
            refused++;
            int named = MOST_RUNS + 1;
            assertTrue(files.names().size() <= named, () -> about + " leaves " + files.names());
            ingests.check(disk, acknowledged, acknowledged, about);
            files.limitBytes(Long.MAX_VALUE);
            ingestNext(disk);
            ingests.check(disk, acknowledged, acknowledged, about);
            files.limitBytes(limitBytes);
          }
        }
      }
      files.limitBytes(Long.MAX_VALUE);
      checkReopened(about);
      return refused;
    }

    private void ingestDespiteFailures(Disks disks, String about) {
      try (Disk disk = disks.open(TASK)) {
        acknowledged = ingests.check(disk, acknowledged, called, about);
        boolean failed = false;
        while (acknowledged < INGESTS && !failed) {
          try {
            ingestNext(disk);
          } catch (DiskException e) {
            assertEquals(DiskException.Kind.IO, e.kind(), about + ": " + e.getMessage());
            failed = !stillAsBefore(disk, about);
          }
        }
      }
    }

    /// Whether a disk whose ingest has failed can still be read; then nothing may have happened.
    private boolean stillAsBefore(Disk disk, String about) {
      try {
        ingests.check(disk, acknowledged, acknowledged, about);
        return true;
      } catch (DiskException e) {
        assertEquals(DiskException.Kind.IO, e.kind(), about + ": " + e.getMessage());
        return false;
      }
    }

    private boolean workUntilCrash(String about) {
      try {
        work(about);
        return false;
      } catch (ModelCrash e) {
        return true;
      }
    }

    /// One process: opens the disk, checks it, ingests and reads to the end.
    private void work(String about) {
      Disk disk = openTask(about);
      acknowledged = ingests.check(disk, acknowledged, called, about);
      while (acknowledged < INGESTS) {
        ingestNext(disk);
        if (random.nextInt(4) == 0) {
          ingests.check(disk, acknowledged, called, about);
        }
      }
    }

    private void ingestNext(Disk disk) {
      called = Math.max(called, acknowledged + 1);
      ingests.ingest(disk, acknowledged + 1);
      acknowledged++;
    }

    private void checkReopened(String about) {
      ingests.check(openTask(about), acknowledged, called, about + ", at the end");
      files.kill();
    }

    /// A disk that says it is corrupt has lost what it acknowledged.
    private Disk openTask(String about) {
      try {
        return openDisks().open(TASK);
      } catch (DiskException e) {
        throw new AssertionFailedError(about + ": " + e.getMessage(), e);
      }
    }

    private Disks openDisks() {
      return new SortedRunDisks(seenThrough.apply(files.mount()), MOST_RUNS);
    }

    private void endProcess() {
      if (random.nextInt(3) == 0) {
        files.kill();
      } else {
        files.losePower();
      }
    }
  }
}
