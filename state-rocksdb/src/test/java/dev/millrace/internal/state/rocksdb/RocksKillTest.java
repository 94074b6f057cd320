package dev.millrace.internal.state.rocksdb;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.spi.Disk;
import dev.millrace.spi.Disks;
import dev.millrace.testkit.contract.NumberedIngests;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The one promise of a disk, kept by RocksDB when the process is killed at a random moment.
class RocksKillTest {
  private static final int KILLS = 9;

  @TempDir private Path directory;

  @Test
  void afterAKillTheDiskHoldsAPrefixOfTheIngests() throws InterruptedException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    NumberedIngests ingests = IngestingProcess.ingests(seed);
    Path state = directory.resolve("app-0");
    long held = 0;
    for (int kill = 1; kill <= KILLS; kill++) {
      long acknowledged;
      try (IngestingProcess process =
          IngestingProcess.start(List.of(), List.of(), state, seed, Long.MAX_VALUE, held)) {
        int wanted = random.nextInt(60);
        for (int i = 0; i <= wanted; i++) {
          assertTrue(process.awaitAcknowledgement(), "the process ended by itself");
        }
        Thread.sleep(random.nextInt(20), random.nextInt(1_000_000));
        acknowledged = process.kill();
      }
      try (Disks disks = new RocksDisks(state, RocksDiskConfig.defaults());
          Disk disk = disks.open(IngestingProcess.TASK)) {
        String about = "seed %d, kill %d".formatted(seed, kill);
        held = ingests.check(disk, acknowledged, acknowledged + 1, about);
      }
    }
  }
}
