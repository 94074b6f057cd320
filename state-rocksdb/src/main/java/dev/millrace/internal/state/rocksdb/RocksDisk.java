package dev.millrace.internal.state.rocksdb;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.state.local.PrivateFiles;
import dev.millrace.internal.state.run.AscendingRun;
import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskException;
import dev.millrace.spi.DiskImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.rocksdb.Options;
import org.rocksdb.Range;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Slice;

/// A task's RocksDB; see the package for how it works.
///
/// After a failed ingest of kind `FULL`, the disk can still be read. RocksDB checks for space every
/// few seconds by itself, so that a later ingest succeeds once there is some. If compaction has an
/// error that it cannot correct, the next ingest throws it.
final class RocksDisk implements Disk {
  /// The number of unmerged runs from which an ingest waits for merging.
  private static final int MOST_RUNS = 6 * SharedNatives.RUNS_TO_MERGE;

  private static final long LONGEST_WAIT_NANOS = 10_000_000_000L;
  private static final long WAIT_STEP_MILLIS = 5;

  /// Up to here the estimated size of a range may be wrong by more than a part of it.
  private static final long ROUGH_BYTES = 64 << 10;

  private static final long MOST_COUNTED_BYTES = 16 << 10;
  private static final byte[] POSITION_KEY = {};

  private final TaskDirectory directory;
  private final SharedNatives natives;
  private final Runnable afterClose;
  private final RocksDB database;
  private final RunFileBuilder builder;
  private final ReadLanes lanes;
  private final Set<RocksCursor> cursors = new HashSet<>();

  /// Files that were passed to RocksDB and not deleted by it, of ingests that failed; see
  /// [TaskDirectory#bringBackLastRun].
  private final List<Path> leftFiles = new ArrayList<>();

  private volatile boolean closed;
  private byte @Nullable [] position;
  private long runFiles;

  /// Null if none is under way.
  private @Nullable BackgroundIngest underWay;

  /// Whether the last ingest found no space: then RocksDB does not merge either, and waiting for a
  /// merge would block everything else.
  private volatile boolean full;

  private RocksDisk(
      TaskDirectory directory,
      SharedNatives natives,
      RocksDB database,
      byte @Nullable [] position,
      Runnable afterClose) {
    this.directory = directory;
    this.natives = natives;
    this.database = database;
    this.position = position;
    this.afterClose = afterClose;
    builder = new RunFileBuilder(natives);
    lanes = new ReadLanes(database, natives.readOptions(), natives.readers());
  }

  static RocksDisk open(TaskDirectory directory, SharedNatives natives, Runnable afterClose) {
    directory.prepare(
        path -> create(path, natives), "RocksDB " + RocksDB.rocksdbVersion().toString());
    RocksDB database = openDatabase(directory, natives);
    boolean opened = false;
    try {
      byte[] position = database.get(natives.readOptions(), POSITION_KEY);
      directory.emptyIngest();
      if (position != null) {
        directory.deleteStage();
      }
      RocksDisk disk = new RocksDisk(directory, natives, database, position, afterClose);
      opened = true;
      return disk;
    } catch (RocksDBException e) {
      throw RocksFailure.ofOpening(directory.path(), e);
    } finally {
      if (!opened) {
        database.close();
      }
    }
  }

  @Override
  public byte @Nullable [] position() {
    requireOpen();
    return position == null ? null : position.clone();
  }

  @Override
  public byte @Nullable [] get(Bytes key) {
    requireOpen();
    AscendingRun.requireKey(key);
    try {
      return database.get(natives.readOptions(), key.array(), key.offset(), key.length());
    } catch (RocksDBException e) {
      throw RocksFailure.of(directory.path(), "could not be read", e);
    }
  }

  @Override
  public byte[] @Nullable [] multiGet(Bytes[] keys, int count) {
    requireOpen();
    Objects.checkFromToIndex(0, count, keys.length);
    for (int i = 0; i < count; i++) {
      AscendingRun.requireKey(keys[i]);
    }
    byte[] @Nullable [] values = new byte[count] @Nullable [];
    try {
      lanes.get(keys, count, values);
      return values;
    } catch (RocksDBException e) {
      throw RocksFailure.of(directory.path(), "could not be read", e);
    }
  }

  @Override
  public Cursor range(Bytes from, @Nullable Bytes to) {
    requireOpen();
    RocksCursor cursor = new RocksCursor(database, directory.path(), from, to, cursors::remove);
    cursors.add(cursor);
    return cursor;
  }

  @Override
  public void ingest(SortedRun run, byte[] nextPosition) {
    prepare(run, nextPosition).finish();
  }

  @Override
  public Ingest prepare(SortedRun run, byte[] nextPosition) {
    requireNothingUnderWay();
    byte[] copied = nextPosition.clone();
    runFiles++;
    Path file = directory.ingest().resolve("run-%012d.sst".formatted(runFiles));
    SortedRun untilClosed = new RunUntilClosed(run, () -> closed, directory.path());
    Future<@Nullable Void> writing =
        natives
            .writers()
            .submit(() -> {
              write(file, untilClosed, copied);
              return null;
            });
    BackgroundIngest ingest =
        new BackgroundIngest(writing, written -> finish(written, file, copied));
    underWay = ingest;
    return ingest;
  }

  /// Writes and ingests a run, in the background.
  private void write(Path file, SortedRun run, byte[] nextPosition) throws RocksDBException {
    if (!full) {
      awaitMerging();
    }
    build(file, run, nextPosition);
    database.ingestExternalFile(List.of(file.toString()), natives.ingestOptions());
  }

  private void finish(Future<?> written, Path file, byte[] nextPosition) {
    underWay = null;
    leftFiles.add(file);
    try {
      OtherThread.rethrow(written);
    } catch (RocksDBException e) {
      DiskException failure = RocksFailure.of(directory.path(), "could not ingest a run", e);
      full = failure.kind() == DiskException.Kind.FULL;
      throw failure;
    }
    full = false;
    position = nextPosition;
    leftFiles.forEach(RocksDisk::delete);
    leftFiles.clear();
  }

  @Override
  public @Nullable DiskImage image() {
    requireNothingUnderWay();
    byte[] now = position;
    if (now == null) {
      return null;
    }
    return RocksImage.take(database, directory.newImage(), directory.format(), now.clone());
  }

  @Override
  public long sizeBytes() {
    requireOpen();
    return property("rocksdb.live-sst-files-size");
  }

  @Override
  public long sizeBytes(Bytes from, Bytes to) {
    requireOpen();
    long estimate = estimate(from, to);
    return estimate > ROUGH_BYTES ? estimate : counted(from, to, estimate);
  }

  private long estimate(Bytes from, Bytes to) {
    try (Slice first = new Slice(from.toByteArray());
        Slice behind = new Slice(to.toByteArray())) {
      List<Range> ranges = List.of(new Range(first, behind));
      // All is in files: nothing is written but by ingesting them.
      return database.getApproximateSizes(ranges, SizeApproximationFlag.INCLUDE_FILES)[0];
    }
  }

  /// Counts the keys and values of a small range, which RocksDB estimates in whole blocks.
  private long counted(Bytes from, Bytes to, long estimate) {
    long bytes = 0;
    try (Cursor cursor = range(from, to)) {
      while (cursor.next()) {
        bytes += cursor.key().length() + cursor.value().length();
        if (bytes > MOST_COUNTED_BYTES) {
          return Math.max(bytes, estimate);
        }
      }
    }
    return bytes;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (underWay != null) {
      OtherThread.await(underWay.written());
    }
    List.copyOf(cursors).forEach(RocksCursor::close);
    try {
      database.closeE();
    } catch (RocksDBException e) {
      throw RocksFailure.of(directory.path(), "could not be closed", e);
    } finally {
      afterClose.run();
    }
  }

  private static RocksDB openDatabase(TaskDirectory directory, SharedNatives natives) {
    String path = directory.database().toString();
    try {
      return RocksDB.open(natives.options(), path);
    } catch (RocksDBException e) {
      if (!directory.bringBackLastRun(String.valueOf(e.getMessage()))) {
        throw RocksFailure.ofOpening(directory.path(), e);
      }
    }
    try {
      return RocksDB.open(natives.options(), path);
    } catch (RocksDBException e) {
      throw RocksFailure.ofOpening(directory.path(), e);
    }
  }

  private static void create(Path path, SharedNatives natives) {
    try (Options options = new Options(natives.options())) {
      options.setCreateIfMissing(true);
      options.setErrorIfExists(true);
      RocksDB.open(options, path.toString()).closeE();
    } catch (RocksDBException e) {
      throw RocksFailure.of(path, "could not be created", e);
    }
  }

  /// Waits while too many runs are in level 0, but only while they are being merged, and not for
  /// ever: many runs make reads slow, not wrong.
  private void awaitMerging() {
    long start = System.nanoTime();
    while (!closed
        && runsInLevel0() >= MOST_RUNS
        && (property("rocksdb.num-running-compactions") > 0
            || property("rocksdb.compaction-pending") > 0)
        && System.nanoTime() - start < LONGEST_WAIT_NANOS) {
      try {
        Thread.sleep(WAIT_STEP_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /// Returns the number of runs in level 0, a property that RocksDB returns as text.
  private long runsInLevel0() {
    String name = "rocksdb.num-files-at-level0";
    try {
      return Long.parseLong(database.getProperty(name));
    } catch (RocksDBException e) {
      throw RocksFailure.of(directory.path(), "could not tell " + name, e);
    }
  }

  private long property(String name) {
    try {
      return database.getLongProperty(name);
    } catch (RocksDBException e) {
      throw RocksFailure.of(directory.path(), "could not tell " + name, e);
    }
  }

  private void build(Path file, SortedRun run, byte[] nextPosition) throws RocksDBException {
    boolean built = false;
    try {
      builder.build(file, new AscendingRun(run), nextPosition);
      built = true;
    } finally {
      if (!built) {
        delete(file);
      }
    }
  }

  /// Deletes a file. If that fails, it is deleted when the disk is opened again; its name is not
  /// used a second time.
  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw PrivateFiles.failure("could not be deleted", file, e);
    }
  }

  private void requireNothingUnderWay() {
    requireOpen();
    if (underWay != null) {
      throw new IllegalStateException(
          "the disk " + directory.path() + " is being written to; that must be finished first");
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the disk " + directory.path() + " is closed");
    }
  }
}
