package dev.millrace.internal.state.layer;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The encoded entries of a task in layers, from the top: saved, pending, committed, on disk. A
/// key's first entry from the top is the valid one.
///
/// Saved entries are still live; they are the state to which an undo returns.
///
/// Committed entries are in two layers while the last commit is being merged into earlier ones; the
/// newer layer is read first. Entries that are being written to the disk are, until that is done,
/// in two separate layers, which do not change, below the entries that are committed meanwhile.
public final class Layers {
  private final String task;
  private final Disk disk;
  private final Bytes value = new Bytes();
  private final ArrayPool arrays = new ArrayPool();
  private final Layer wanted = new Layer(arrays);
  private Bytes[] wantedKeys = {};
  private final Layer saved = new Layer(arrays);
  private Layer pending = new Layer(arrays);
  private Layer committed = new Layer(arrays);

  /// The last commit, if it is not yet merged into what was committed before.
  private Layer merging = new Layer(arrays);

  /// The entries that are being written to the disk.
  private LayerPair flushing = new LayerPair(new Layer(arrays), new Layer(arrays));

  /// Null if nothing is being written.
  private Disk.@Nullable Ingest ingest;

  private int merged;
  private int visitors;
  private long diskReads;

  public Layers(String task, Disk disk) {
    this.task = task;
    this.disk = disk;
  }

  public Disk disk() {
    return disk;
  }

  public Layer saved() {
    return saved;
  }

  public Layer pending() {
    return pending;
  }

  /// Returns the committed layer, for a restore.
  public Layer committed() {
    merge(Integer.MAX_VALUE);
    return committed;
  }

  /// Returns how many keys were looked up on disk.
  public long diskReads() {
    return diskReads;
  }

  /// Returns the value of a key, null if it has none; valid until the next call of anything here.
  public @Nullable Bytes find(int hash, Bytes key) {
    Bytes found = newest(hash, key);
    if (found == null) {
      diskReads++;
      return onDisk(key);
    }
    return Layer.isDeletion(found) ? null : found;
  }

  /// Returns the committed value of a key as [#find] does.
  public @Nullable Bytes findCommitted(int hash, Bytes key) {
    Bytes found = newestCommitted(hash, key);
    if (found == null) {
      return onDisk(key);
    }
    return Layer.isDeletion(found) ? null : found;
  }

  /// Returns whether none of the layers above the disk has an entry of a key.
  public boolean isOnDiskOnly(int hash, Bytes key) {
    return newest(hash, key) == null;
  }

  /// Adds a key for [#loadWanted] unless it is in memory.
  public void want(int hash, Bytes key) {
    if (isOnDiskOnly(hash, key)) {
      wanted.delete(hash, key, false);
    }
  }

  /// Returns the entry of a key in the topmost layer above the disk that has one, as [Layer#get];
  /// null if there is none.
  private @Nullable Bytes newest(int hash, Bytes key) {
    Bytes found = saved.get(hash, key, value);
    if (found == null) {
      found = pending.get(hash, key, value);
    }
    return found == null ? newestCommitted(hash, key) : found;
  }

  private @Nullable Bytes newestCommitted(int hash, Bytes key) {
    Bytes found = isMerging() ? merging.get(hash, key, value) : null;
    if (found == null) {
      found = committed.get(hash, key, value);
    }
    return found == null && isFlushing() ? flushing.get(hash, key, value) : found;
  }

  private @Nullable Bytes onDisk(Bytes key) {
    byte[] found = disk.get(key);
    return found == null ? null : value.set(found, 0, found.length);
  }

  /// Receives an entry that was found on disk.
  @FunctionalInterface
  public interface Loaded {
    void loaded(int hash, Bytes key, @Nullable Bytes found);
  }

  /// Reads the keys noted by [#want] from the disk in one go and in their order, which spares the
  /// disk the way from one end to the other, and forgets them.
  ///
  /// @return how many
  public int loadWanted(Loaded loaded) {
    int count = wanted.count();
    if (count == 0) {
      return 0;
    }
    try {
      int[] entries = wanted.sorted();
      if (wantedKeys.length < count) {
        wantedKeys = new Bytes[2 * count];
        Arrays.setAll(wantedKeys, i -> new Bytes());
      }
      for (int i = 0; i < count; i++) {
        wanted.key(entries[i], wantedKeys[i]);
      }
      diskReads += count;
      byte[] @Nullable [] found = disk.multiGet(wantedKeys, count);
      for (int i = 0; i < count; i++) {
        byte[] one = found[i];
        Bytes encoded = one == null ? null : value.set(one, 0, one.length);
        loaded.loaded(wanted.hash(entries[i]), wantedKeys[i], encoded);
      }
      return count;
    } finally {
      wanted.clear();
    }
  }

  /// Makes pending entries committed.
  ///
  /// @param ordered which keys belong to a store with ranges
  /// @param inSteps whether to leave the merging to [#merge]; only if no keys are read in ranges
  public void acknowledge(Predicate<Bytes> ordered, boolean inSteps) {
    merge(Integer.MAX_VALUE);
    Layer empty = merging;
    merging = pending;
    pending = empty;
    if (committed.count() == 0) {
      empty = committed;
      committed = merging;
      merging = empty;
    } else if (!inSteps) {
      committed.putAll(merging, 0, merging.count(), ordered);
      merging.clear();
    }
  }

  /// Merges the next entries of the last commit into earlier ones, once these can be found.
  ///
  /// @param atMost how many, about
  /// @return whether there was anything to do
  public boolean merge(int atMost) {
    int count = merging.count();
    if (count == 0) {
      return false;
    }
    if (atMost < count && committed.makeKnown(atMost)) {
      return true;
    }
    int to = count - merged <= atMost ? count : merged + atMost;
    committed.putAll(merging, merged, to, _ -> false);
    merged = to;
    if (merged == count) {
      merging.clear();
      merged = 0;
    }
    return true;
  }

  /// Returns whether the last commit is not yet merged into what was committed before.
  private boolean isMerging() {
    return merging.count() > 0;
  }

  public boolean hasCommitted() {
    return committed.count() > 0 || isMerging() || ingest != null;
  }

  /// Returns the memory of committed entries that are not being written to the disk.
  public long unflushedBytes() {
    return committed.bytes() + merging.bytes();
  }

  /// Returns the memory of committed entries.
  public long committedBytes() {
    return unflushedBytes() + flushing.older().bytes() + flushing.newer().bytes();
  }

  /// Shows some of the committed entries.
  ///
  /// @param atMost how many of each layer, about
  public void sampleCommitted(int atMost, Layer.Sample sample) {
    committed.sample(atMost, sample);
    merging.sample(atMost, sample);
    flushing.older().sample(atMost, sample);
    flushing.newer().sample(atMost, sample);
  }

  /// Returns the memory that is kept for them, and for the next ones.
  public long committedAllocatedBytes() {
    return committed.allocatedBytes()
        + merging.allocatedBytes()
        + flushing.older().allocatedBytes()
        + flushing.newer().allocatedBytes()
        + arrays.freeBytes();
  }

  /// Returns whether a flush was begun and not finished.
  public boolean isFlushing() {
    return ingest != null;
  }

  /// Begins to write all that is committed to the disk.
  public void beginFlush(byte[] position) {
    if (ingest != null) {
      throw new IllegalStateException("Task " + task + " is being flushed.");
    }
    LayerPair all = new LayerPair(committed, merging);
    ingest = disk.prepare(all.sortedRun(), position);
    committed = flushing.older();
    merging = flushing.newer();
    merged = 0;
    flushing = all;
  }

  /// Returns whether [#finishFlush] would not have to wait.
  public boolean flushIsReady() {
    return ingest != null && ingest.ready();
  }

  /// Finishes the flush that [#beginFlush] has begun. If the disk fails, nothing has changed.
  ///
  /// @param ordered which keys belong to a store with ranges
  public void finishFlush(Predicate<Bytes> ordered) {
    Disk.Ingest finishing = ingest;
    if (finishing == null) {
      throw new IllegalStateException("Task " + task + " is not being flushed.");
    }
    ingest = null;
    boolean written = false;
    try {
      finishing.finish();
      written = true;
    } finally {
      if (!written) {
        putBack(ordered);
      }
      flushing.older().clear();
      flushing.newer().clear();
    }
  }

  /// Returns the entries that were not written to the committed layer.
  private void putBack(Predicate<Bytes> ordered) {
    Layer older = flushing.older();
    older.putAll(flushing.newer(), 0, flushing.newer().count(), ordered);
    older.putAll(committed, 0, committed.count(), ordered);
    flushing = new LayerPair(committed, flushing.newer());
    committed = older;
  }

  /// Opens a view of entries in order, from all layers and what lies above them. Until it is closed
  /// nothing may change.
  ///
  /// @param above what lies above all layers; the view takes it over
  /// @param from with the store's number
  /// @param to above `from`
  public MergeRange openRange(List<SortedEntries> above, Bytes from, Bytes to) {
    saved.addRange(above, 1, from, to);
    pending.addRange(above, 2, from, to);
    return openWithCommitted(above, from, to);
  }

  /// Opens a view of what is committed, in order; see [#openRange].
  public MergeRange openCommittedRange(Bytes from, Bytes to) {
    return openWithCommitted(new ArrayList<>(), from, to);
  }

  private MergeRange openWithCommitted(List<SortedEntries> above, Bytes from, Bytes to) {
    committed.addRange(above, 3, from, to);
    flushing.newer().addRange(above, 4, from, to);
    flushing.older().addRange(above, 5, from, to);
    above.add(new DiskEntries(6, disk.range(from, to)));
    beginVisit();
    return new MergeRange(above);
  }

  public void closeRange(MergeRange range) {
    endVisit();
    range.close();
  }

  /// Begins a visit. Until [#endVisit], nothing may change.
  public void beginVisit() {
    visitors++;
  }

  public void endVisit() {
    visitors--;
  }

  /// Throws if a visit is under way, in which nothing may change.
  public void requireNoVisitor(String what) {
    if (visitors > 0) {
      throw new IllegalStateException(
          "A visitor must not change the stores of task %s, but one tried to %s."
              .formatted(task, what));
    }
  }
}
