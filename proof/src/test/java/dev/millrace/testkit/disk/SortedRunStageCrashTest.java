package dev.millrace.testkit.disk;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.state.run.RunFiles;
import dev.millrace.internal.state.run.SortedRunDisks;
import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskException;
import dev.millrace.spi.DiskImage;
import dev.millrace.spi.DiskStage;
import dev.millrace.spi.Disks;
import dev.millrace.testkit.contract.ImageFiles;
import dev.millrace.testkit.contract.NumberedIngests;
import java.io.IOException;
import java.util.Objects;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;

/// A disk that is made of an image is there whole or not at all, wherever a crash comes.
class SortedRunStageCrashTest {
  private static final String TASK = "1-3";
  private static final int OLD = 3;
  private static final int NEW = 9;

  @Test
  void aCrashAtAnyOperationLeavesTheOldDiskOrNoneOrTheNewOne() throws IOException {
    long crashes = 0;
    long made = 0;
    for (long seed = 0; seed < 40; seed++) {
      boolean old = seed % 2 == 0;
      Life whole = new Life(seed, old, files -> files);
      whole.makeDisk();
      for (long at = 1; at <= whole.operations(); at++) {
        made += new Life(seed, old, files -> files).crashAndCheck(at) == NEW ? 1 : 0;
        crashes++;
      }
    }
    assertTrue(crashes > 700, "only " + crashes + " crashes");
    assertTrue(made > 40 && made < crashes / 2, made + " of " + crashes + " were made");
  }

  @Test
  void aMissingSyncOfContentIsNoticed() {
    assertNoticed(ForgetfulFiles.Omission.SYNC_OF_CONTENT);
  }

  @Test
  void aMissingSyncOfNamesIsNoticed() {
    assertNoticed(ForgetfulFiles.Omission.SYNC_OF_NAMES);
  }

  private static void assertNoticed(ForgetfulFiles.Omission omission) {
    assertThrows(
        AssertionFailedError.class,
        () -> {
          for (long seed = 0; seed < 100; seed++) {
            for (long at = 1; at <= 50; at++) {
              new Life(seed, seed % 2 == 0, files -> new ForgetfulFiles(files, omission))
                  .crashAndCheck(at);
            }
          }
        });
  }

  /// A model disk on which a task's disk is made of an image.
  private static final class Life {
    private final long seed;
    private final boolean old;
    private final ModelFiles files;
    private final NumberedIngests ingests;
    private final ImageFiles image;
    private final UnaryOperator<RunFiles> seenThrough;
    private final long begin;
    private boolean returned;

    /// @param old whether the task has a disk before
    Life(long seed, boolean old, UnaryOperator<RunFiles> seenThrough) throws IOException {
      this.seed = seed;
      this.old = old;
      this.seenThrough = seenThrough;
      files = new ModelFiles(seed);
      ingests = new NumberedIngests(seed, 30);
      image = image();
      try (Disks disks = new SortedRunDisks(files.mount(), 3);
          Disk disk = disks.open(TASK)) {
        for (int number = 1; old && number <= OLD; number++) {
          ingests.ingest(disk, number);
        }
      }
      begin = files.operations();
    }

    private ImageFiles image() throws IOException {
      try (Disks disks = new SortedRunDisks(new ModelFiles(seed + 1).mount(), 3);
          Disk disk = disks.open(TASK)) {
        for (int number = 1; number <= NEW; number++) {
          ingests.ingest(disk, number);
        }
        try (DiskImage taken = Objects.requireNonNull(disk.image())) {
          return ImageFiles.read(taken);
        }
      }
    }

    long operations() {
      return files.operations() - begin;
    }

    void makeDisk() throws IOException {
      try (Disks disks = new SortedRunDisks(seenThrough.apply(files.mount()), 3);
          DiskStage stage = disks.stage(TASK)) {
        image.writeTo(stage);
        stage.publish();
      }
      returned = true;
    }

    /// @return the number of the last ingest that the disk holds
    long crashAndCheck(long at) throws IOException {
      Random random = new Random(seed * 31 + at);
      String about = "seed %d, crash at operation %d".formatted(seed, at);
      files.crashAt(begin + at);
      try {
        makeDisk();
      } catch (ModelCrash e) {
        assertTrue(!returned);
      }
      endProcess(random);
      if (random.nextInt(3) == 0) {
        files.crashAt(files.operations() + 1 + random.nextInt(15));
        try {
          new SortedRunDisks(files.mount(), 3).open(TASK);
        } catch (ModelCrash e) {
          assertTrue(!String.valueOf(e.getMessage()).isEmpty());
        }
        endProcess(random);
      }
      return check(about);
    }

    private long check(String about) {
      try (Disks disks = new SortedRunDisks(files.mount(), 3);
          Disk disk = disks.open(TASK)) {
        long held = NumberedIngests.number(disk);
        boolean allowed = held == NEW || !returned && (held == 0 || old && held == OLD);
        if (!allowed) {
          throw new AssertionFailedError(about + ": the disk is at " + held);
        }
        ingests.check(disk, held, held, about);
        return held;
      } catch (DiskException e) {
        throw new AssertionFailedError(about + ": " + e.getMessage(), e);
      }
    }

    private void endProcess(Random random) {
      if (random.nextInt(3) == 0) {
        files.kill();
      } else {
        files.losePower();
      }
    }
  }
}
