package dev.millrace.internal.state.rocksdb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import dev.millrace.spi.Disks;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// What happens around an ingest that is under way.
@Timeout(60)
class BackgroundIngestTest {
  private static final byte[] FIRST = {1};
  private static final byte[] SECOND = {2};

  @TempDir private Path directory;
  private Disks disks;
  private Disk disk;

  @BeforeEach
  void open() {
    disks = new RocksDisks(directory.resolve("app-0"), RocksDiskConfig.defaults());
    disk = disks.open("0-0");
  }

  /// Entries with the keys 0 to 9, of which the last comes when it is let go.
  private static final class HeldRun implements Disk.SortedRun {
    final CountDownLatch reached = new CountDownLatch(1);
    final CountDownLatch letGo = new CountDownLatch(1);
    private final RuntimeException failure;
    private int at = -1;

    HeldRun(RuntimeException failure) {
      this.failure = failure;
    }

    @Override
    public boolean next() {
      at++;
      if (at == 9) {
        reached.countDown();
        try {
          letGo.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
        if (failure != null) {
          throw failure;
        }
      }
      return at < 10;
    }

    @Override
    public Bytes key() {
      return Bytes.of(Integer.toString(at).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Bytes value() {
      return key();
    }
  }

  private static Bytes key(int number) {
    return Bytes.of(Integer.toString(number).getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void theThreadOfTheDiskGoesOn() throws InterruptedException {
    HeldRun run = new HeldRun(null);
    Disk.Ingest ingest = disk.prepare(run, FIRST);
    run.reached.await();
    assertFalse(ingest.ready());
    assertNull(disk.get(key(0)), "nothing of a run is there before all of it");
    assertNull(disk.position());
    assertThrows(IllegalStateException.class, () -> disk.prepare(new HeldRun(null), SECOND));
    assertThrows(IllegalStateException.class, () -> disk.ingest(new HeldRun(null), SECOND));
    assertThrows(IllegalStateException.class, disk::image);
    run.letGo.countDown();
    while (!ingest.ready()) {
      Thread.onSpinWait();
    }
    assertNull(disk.position(), "it moves when the ingest is finished");
    ingest.finish();
    assertArrayEquals(FIRST, disk.position());
    assertArrayEquals(new byte[] {'9'}, disk.get(key(9)));
    disk.image().close();
    disk.close();
    disks.close();
  }

  @Test
  void whatTheRunThrowsIsToldAtTheEndAndNothingHasHappened() {
    RuntimeException failure = new UnsupportedOperationException("on purpose");
    HeldRun run = new HeldRun(failure);
    Disk.Ingest ingest = disk.prepare(run, FIRST);
    run.letGo.countDown();
    assertSame(failure, assertThrows(RuntimeException.class, ingest::finish));
    assertNull(disk.position());
    assertNull(disk.get(key(0)));
    HeldRun again = new HeldRun(null);
    again.letGo.countDown();
    disk.ingest(again, SECOND);
    assertArrayEquals(SECOND, disk.position());
    disk.close();
    disks.close();
  }

  @Test
  void whoClosesTheDiskWaitsForTheThreadAndNotForTheRun() throws InterruptedException {
    HeldRun run = new HeldRun(null);
    Disk.Ingest ingest = disk.prepare(run, FIRST);
    run.reached.await();
    Thread closing = Thread.ofPlatform().start(disk::close);
    while (closing.getState() != Thread.State.WAITING) {
      assertTrue(closing.isAlive(), "closed while the run was read");
      Thread.onSpinWait();
    }
    run.letGo.countDown();
    closing.join();
    assertTrue(ingest.ready());
    disk = disks.open("0-0");
    assertNull(disk.position(), "the run was not read to its end");
    disk.close();
    disks.close();
  }
}
