package dev.millrace.testkit.snapshot;

import dev.millrace.internal.state.run.SortedRunDisks;
import dev.millrace.internal.state.snapshot.SnapshotManifest;
import dev.millrace.internal.state.snapshot.SnapshotOwner;
import dev.millrace.internal.state.snapshot.SnapshotStore;
import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskImage;
import dev.millrace.spi.DiskStage;
import dev.millrace.spi.Disks;
import dev.millrace.testkit.blob.ModelBlobs;
import dev.millrace.testkit.contract.NumberedIngests;
import dev.millrace.testkit.disk.ModelFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// A host with a task's disk that takes snapshots into a blob store. The changelog is a sequence of
/// numbered ingests; the offset of each is its number.
final class SnapshotBench {
  static final String TASK = "1-3";
  static final SnapshotOwner OWNER = new SnapshotOwner("app", "Topic-Id_1", TASK);
  static final Duration GRACE = Duration.ofMinutes(10);
  private static final int MOST_RUNS = 5;

  final List<String> warnings = new ArrayList<>();
  final NumberedIngests ingests;
  private final ModelBlobs blobs;
  private final Disks disks;
  private SnapshotStore store;
  private @Nullable Disk disk;

  SnapshotBench(long seed, ModelBlobs blobs) {
    this.blobs = blobs;
    ingests = new NumberedIngests(seed, 60);
    disks = new SortedRunDisks(new ModelFiles(seed).mount(), MOST_RUNS);
    store = newStore();
  }

  private SnapshotStore newStore() {
    return new SnapshotStore(blobs, OWNER, 2, GRACE, warnings::add);
  }

  private Disk disk() {
    Disk now = disk;
    if (now == null) {
      now = disks.open(TASK);
      store = newStore();
      disk = now;
    }
    return now;
  }

  long position() {
    return NumberedIngests.number(disk());
  }

  void ingestTo(long last) {
    for (long number = position() + 1; number <= last; number++) {
      ingests.ingest(disk(), number);
    }
  }

  DiskImage image() {
    return Objects.requireNonNull(disk().image());
  }

  /// Puts a snapshot of the disk as it is now.
  SnapshotStore.Put put() throws IOException {
    try (DiskImage image = image()) {
      return put(image);
    }
  }

  SnapshotStore.Put put(DiskImage image) throws IOException {
    return store.put(image, ByteBuffer.wrap(image.position()).getLong());
  }

  /// Closes the disk and makes it anew of a snapshot.
  @Nullable SnapshotManifest fetch(Predicate<SnapshotManifest> usable) {
    close();
    try (DiskStage stage = Objects.requireNonNull(disks.stage(TASK))) {
      return store.fetch(stage, usable);
    }
  }

  /// As [#fetch], on a host that has nothing.
  static SnapshotBench fetched(long seed, ModelBlobs blobs) {
    SnapshotBench fresh = new SnapshotBench(seed, blobs);
    fresh.fetch(_ -> true);
    return fresh;
  }

  void check(long number, String about) {
    ingests.check(disk(), number, number, about);
  }

  void close() {
    if (disk != null) {
      disk.close();
      disk = null;
    }
  }
}
