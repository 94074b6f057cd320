package dev.millrace.internal.state.rocksdb;

import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskException;
import dev.millrace.spi.Disks;
import dev.millrace.testkit.contract.NumberedIngests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// A process whose state lies on a small file system, which it fills up at one place after another.
final class FullDiskProcess {
  private static final int ROUNDS = 60;
  private static final int SLACK_STEP_BYTES = 12 << 10;
  private static final byte[] ZEROS = new byte[4096];
  private static final int MOST_ENTRIES = 1500;
  private static final long RECOVERY_NANOS = 30_000_000_000L;

  private final Path state;
  private final Path ballast;
  private final NumberedIngests ingests = new NumberedIngests(3, MOST_ENTRIES);
  private long acknowledged;
  private int refusals;

  private FullDiskProcess(Path small) {
    state = small.resolve("app-0");
    ballast = small.resolve("ballast");
  }

  /// @param arguments the mount point
  public static void main(String[] arguments) throws IOException, InterruptedException {
    FullDiskProcess process = new FullDiskProcess(Path.of(arguments[0]));
    int refusedToOpen = 0;
    for (int round = 0; round < ROUNDS; round++) {
      process.fillUpAndFree((round % 12) * SLACK_STEP_BYTES, "round " + round);
      refusedToOpen += process.openWhileFull(round % 16 * ZEROS.length, "round " + round) ? 0 : 1;
    }
    if (refusedToOpen < ROUNDS / 4) {
      throw new AssertionError("could not be opened only " + refusedToOpen + " times");
    }
    if (process.refusals < ROUNDS / 2) {
      throw new AssertionError("refused only " + process.refusals + " times");
    }
  }

  private void fillUpAndFree(int slackBytes, String about)
      throws IOException, InterruptedException {
    try (Disks disks = new RocksDisks(state, RocksDiskConfig.defaults());
        Disk disk = disks.open(IngestingProcess.TASK)) {
      ingests.check(disk, acknowledged, acknowledged, about + ", opened");
      fillExcept(slackBytes);
      try {
        for (int i = 0; i < 20; i++) {
          ingestNext(disk);
        }
      } catch (DiskException e) {
        requireFull(e, about);
        refusals++;
        ingests.check(disk, acknowledged, acknowledged, about + ", full");
        requireRefusal(disk, about);
      }
      Files.delete(ballast);
      ingestOnceRecovered(disk, about);
      ingests.check(disk, acknowledged, acknowledged, about + ", freed");
    }
    try (Disks disks = new RocksDisks(state, RocksDiskConfig.defaults());
        Disk disk = disks.open(IngestingProcess.TASK)) {
      ingests.check(disk, acknowledged, acknowledged, about + ", reopened");
    }
  }

  /// @return whether it could be opened
  private boolean openWhileFull(int slackBytes, String about) throws IOException {
    fillExcept(slackBytes);
    boolean opened = false;
    try (Disks disks = new RocksDisks(state, RocksDiskConfig.defaults());
        Disk disk = disks.open(IngestingProcess.TASK)) {
      ingests.check(disk, acknowledged, acknowledged, about + ", opened while full");
      opened = true;
    } catch (DiskException e) {
      requireFull(e, about + ", to be opened");
    }
    Files.delete(ballast);
    return opened;
  }

  private void ingestNext(Disk disk) {
    ingests.ingest(disk, acknowledged + 1);
    acknowledged++;
  }

  /// A second try on a full disk may only succeed or be refused in the same way.
  private void requireRefusal(Disk disk, String about) {
    try {
      ingestNext(disk);
    } catch (DiskException e) {
      requireFull(e, about);
    }
    ingests.check(disk, acknowledged, acknowledged, about + ", full for the second time");
  }

  private void ingestOnceRecovered(Disk disk, String about) throws InterruptedException {
    long start = System.nanoTime();
    while (true) {
      try {
        ingestNext(disk);
        return;
      } catch (DiskException e) {
        requireFull(e, about);
        if (System.nanoTime() - start > RECOVERY_NANOS) {
          throw new AssertionError(about + ": still full, though there is space", e);
        }
        Thread.sleep(100);
      }
    }
  }

  private static void requireFull(DiskException e, String about) {
    if (e.kind() != DiskException.Kind.FULL) {
      throw new AssertionError(about + ": not refused for lack of space", e);
    }
  }

  private void fillExcept(int slackBytes) throws IOException {
    long free = Files.getFileStore(state).getUsableSpace() - slackBytes;
    try (var out = Files.newOutputStream(ballast, StandardOpenOption.CREATE_NEW)) {
      for (long written = 0; written + ZEROS.length <= free; written += ZEROS.length) {
        out.write(ZEROS);
      }
    }
  }
}
