package dev.millrace.testkit.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// An endless sequence of ingests for crash tests: the n-th run is a function of the seed and n,
/// and n is its position. So what a disk must hold follows from its position alone. Not
/// thread-safe.
public final class NumberedIngests {
  private final long seed;
  private final int mostEntries;
  private DiskOracle oracle = new DiskOracle();
  private long folded;

  /// @param mostEntries of a run; some are empty
  public NumberedIngests(long seed, int mostEntries) {
    this.seed = seed;
    this.mostEntries = mostEntries;
  }

  /// Ingests the run of a number, counted from 1.
  public void ingest(Disk disk, long number) {
    disk.ingest(new MapRun(run(number)), position(number));
  }

  /// Checks that a disk holds exactly the first ingests, as many as its position says.
  ///
  /// @param least as many as it must hold
  /// @param most as many as it may hold
  /// @return as many as it holds
  public long check(Disk disk, long least, long most, String about) {
    long number = number(disk);
    assertTrue(
        least <= number && number <= most,
        () ->
            "%s: the disk is at ingest %d, but %d were acknowledged and %d were called"
                .formatted(about, number, least, most));
    foldTo(number);
    oracle.check(disk, about + ": as of ingest " + number);
    return number;
  }

  /// The number of the last ingest a disk holds, 0 if none.
  public static long number(Disk disk) {
    byte[] position = disk.position();
    if (position == null) {
      return 0;
    }
    assertEquals(Long.BYTES, position.length, "length of the position");
    return ByteBuffer.wrap(position).getLong();
  }

  private SortedMap<Bytes, byte @Nullable []> run(long number) {
    Random random = new Random(seed * 1_000_003 + number);
    return DiskOracle.randomRun(random, random.nextInt(5) == 0 ? 0 : mostEntries);
  }

  private static byte[] position(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  private void foldTo(long number) {
    if (number < folded) {
      oracle = new DiskOracle();
      folded = 0;
    }
    while (folded < number) {
      folded++;
      oracle.ingest(run(folded), position(folded));
    }
  }
}
