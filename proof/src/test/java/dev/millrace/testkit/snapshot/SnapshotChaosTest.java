package dev.millrace.testkit.snapshot;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.spi.BlobException;
import dev.millrace.spi.DiskImage;
import dev.millrace.testkit.blob.ModelBlobs;
import dev.millrace.testkit.disk.ModelCrash;
import dev.millrace.testkit.time.VirtualClock;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Two processes that both believe the task to be theirs put snapshots into a blob store that is
/// slow, fails, and deletes late; they die in the middle, and blobs are damaged. Whatever comes of
/// it, what is fetched is a prefix of the changelog, and once all is calm the newest is.
class SnapshotChaosTest {
  private static final int SEEDS = 150;
  private static final int STEPS = 60;

  private long puts;
  private long failedPuts;
  private long fetches;
  private long emptyFetches;

  @Test
  void whateverHappensOnlyPrefixesAreFetchedAndTheNewestInTheEnd() throws IOException {
    for (long seed = 0; seed < SEEDS; seed++) {
      run(seed);
    }
    assertTrue(puts > 500 && failedPuts > 200, puts + " puts, " + failedPuts + " failed");
    assertTrue(fetches > 500 && emptyFetches < fetches / 2, fetches + ", empty " + emptyFetches);
  }

  private void run(long seed) throws IOException {
    Random random = new Random(seed);
    ModelBlobs blobs = new ModelBlobs(seed, new VirtualClock());
    List<SnapshotBench> owners =
        List.of(new SnapshotBench(seed, blobs), new SnapshotBench(seed, blobs));
    ArrayDeque<DiskImage> taken = new ArrayDeque<>();
    long reached = 0;
    blobs.slow(Duration.ofMinutes(1));
    for (int step = 0; step < STEPS; step++) {
      blobs.failing(random.nextInt(3) == 0 ? 0.1 : 0);
      blobs.deletingLate(random.nextBoolean());
      SnapshotBench owner = owners.get(random.nextInt(2));
      switch (random.nextInt(8)) {
        case 0, 1 -> {
          reached = Math.max(reached, owner.position() + 1 + random.nextInt(3));
          owner.ingestTo(reached);
        }
        case 2 -> {
          if (owner.position() > 0) {
            taken.add(owner.image());
          }
        }
        case 3, 4 -> put(owner, taken, random, blobs);
        case 5 -> damage(blobs, random);
        default -> fetch(seed, blobs, "seed %d, step %d".formatted(seed, step));
      }
    }
    blobs.failing(0);
    blobs.deletingLate(false);
    for (int i = 0; i < 41; i++) {
      blobs.list("");
    }
    SnapshotBench last = owners.get(0);
    last.ingestTo(reached + 1);
    last.put();
    SnapshotBench fetched = SnapshotBench.fetched(seed, blobs);
    if (fetched.position() != reached + 1) {
      last.put(); // what was found damaged is put again
      fetched = SnapshotBench.fetched(seed, blobs);
    }
    fetched.check(reached + 1, "seed " + seed + ", in the end");
  }

  /// Puts an image taken earlier, or one of now; perhaps the process dies meanwhile.
  private void put(
      SnapshotBench owner, ArrayDeque<DiskImage> taken, Random random, ModelBlobs blobs)
      throws IOException {
    if (random.nextInt(4) == 0) {
      blobs.crashAfter(random.nextInt(8));
    }
    puts++;
    try {
      if (!taken.isEmpty() && random.nextBoolean()) {
        try (DiskImage old = taken.remove()) {
          owner.put(old);
        }
      } else if (owner.position() > 0) {
        owner.put();
      }
    } catch (BlobException | ModelCrash e) {
      failedPuts++;
    }
    blobs.noCrash();
  }

  private static void damage(ModelBlobs blobs, Random random) {
    List<String> names = blobs.names();
    if (!names.isEmpty() && random.nextInt(3) == 0) {
      String name = names.get(random.nextInt(names.size()));
      int length = blobs.lengthOf(name);
      switch (length == 0 ? 2 : random.nextInt(3)) {
        case 0 -> blobs.flipBit(name, random.nextInt(8 * length));
        case 1 -> blobs.truncate(name, random.nextInt(length));
        default -> blobs.remove(name);
      }
    }
  }

  private void fetch(long seed, ModelBlobs blobs, String about) {
    fetches++;
    SnapshotBench fresh = new SnapshotBench(seed, blobs);
    try {
      if (fresh.fetch(_ -> true) == null) {
        emptyFetches++;
      }
    } catch (BlobException e) {
      emptyFetches++;
    }
    fresh.check(fresh.position(), about);
  }
}
