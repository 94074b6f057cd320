package dev.millrace.internal.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.state.cache.ObjectCache;
import dev.millrace.internal.state.layer.Layer;
import dev.millrace.internal.state.layer.Layers;
import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskException;
import dev.millrace.spi.DiskImage;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// All stores of one task, and the layers through which commits move their entries.
///
/// From top to bottom, an entry is **live** (changed since the last commit, a decoded object),
/// **pending** (encoded and sent with a commit whose outcome is not known), **committed**
/// (acknowledged, not yet on disk) or on **disk**. [#freeze] and [#collect] make live entries
/// pending, [#acknowledge] makes pending entries committed, and [#flush] writes all committed
/// entries to the disk at once, together with their position. [#rollBack] undoes an aborted commit,
/// whose entries never reached a lower layer. So the disk is always a prefix of the changelog, and
/// [#restoring] the other records of the changelog completes the state.
///
/// The key of an entry, here, in the changelog and on disk, is its store's number in two bytes,
/// big-endian, and the key's bytes. Number 0 belongs to the commit record and does not occur here.
///
/// While a commit is pending, stores can be read and written; only the next [#freeze] has to wait.
/// While a visitor of a range or of a commit runs, nothing may be changed. Used by one thread.
/// Failures of the disk are thrown as [DiskException]s.
public final class TaskState implements AutoCloseable {

  /// How far a commit is.
  private enum Phase {
    NONE,
    FROZEN,
    PENDING,
    FAILED
  }

  private final StoreContext context;
  private final ObjectCache cache;
  private final Layers layers;
  private final StoreTable stores;
  private final ExpirySweep sweep;
  private final MigrationSweep migration;
  private final StateRestore restoring;
  private final StateGauges gauges;
  private final StoreBytes bytes;
  private final boolean inSteps;
  private Phase phase = Phase.NONE;

  /// How many pending entries were shown.
  private int shown;

  /// A state without parked stores.
  public TaskState(String task, Disk disk, List<NumberedStore> stores, StateLimits limits) {
    this(task, disk, stores, new HashSet<>(), limits);
  }

  /// @param task the task's name, for messages
  /// @param disk open; closed with this
  /// @param parked the numbers of stores that an earlier plan had and this one does not: what the
  ///   changelog has of them is kept unread
  /// @throws IllegalArgumentException if two stores have the same number
  public TaskState(
      String task, Disk disk, List<NumberedStore> stores, Set<Integer> parked, StateLimits limits) {
    context = StoreContext.of(task, disk, limits);
    cache = context.cache();
    layers = context.layers();
    this.stores = new StoreTable(context, stores, parked);
    sweep = new ExpirySweep(context, this.stores);
    migration =
        MigrationSweep.of(context, this.stores, stores, this::wantsCommit, this::requireNoCommit);
    inSteps = this.stores.changeWhileFrozen();
    restoring = new StateRestore(context, this.stores, () -> hasChanges() || phase != Phase.NONE);
    gauges = new StateGauges(context, restoring);
    bytes = new StoreBytes(layers, this.stores);
  }

  /// Sets a watcher of values that are near the limit of their store.
  public void watch(LargeValues watcher) {
    stores.watch(watcher);
  }

  /// Returns how large the values of each store are.
  public List<StoreSizes> sizes() {
    return stores.sizes();
  }

  /// Returns how many bytes the stores take.
  public StoreBytes bytes() {
    return bytes;
  }

  /// Returns the store with a number; the caller knows its types.
  ///
  /// @throws IllegalArgumentException if the task has none of that number
  @SuppressWarnings("unchecked")
  public <K, V> CachedStore<K, V> store(int number) {
    return (CachedStore<K, V>) stores.of(number);
  }

  /// Returns the position of the last [#flush], unchanged, or null if there was none.
  public byte @Nullable [] diskPosition() {
    return layers.disk().position();
  }

  /// Returns the disk as the last [#flush] left it; see [Disk#image].
  public @Nullable DiskImage diskImage() {
    return layers.disk().image();
  }

  /// Begins a commit of the live entries. [#collect] completes it, in steps if [#collectsInSteps].
  ///
  /// @throws IllegalStateException if a commit is under way
  public void freeze() {
    layers.requireNoVisitor("freeze");
    restoring.requireNoBulk();
    requireNoCommit();
    assert CleanObjects.areUnchanged(context, stores);
    context.commits().freezeSaved(stores);
    cache.freeze();
    phase = Phase.FROZEN;
    shown = 0;
  }

  private void requireNoCommit() {
    if (phase != Phase.NONE) {
      throw new IllegalStateException(
          "A commit of task %s is still pending.".formatted(context.task()));
    }
  }

  /// Returns whether stores may be read and written between [#freeze] and the end of [#collect]: if
  /// none is read in ranges, no value expires, and all serdes' values are immutable
  /// ([Serde#immutable]).
  public boolean collectsInSteps() {
    return inSteps && !cache.isOversized();
  }

  /// Makes the next frozen entries pending and passes them to a visitor: each entry that was
  /// changed since the last commit once, with the value that it had when this commit began. The
  /// order depends only on the operations, not on sizes of caches. If anything fails here,
  /// including the visitor, only a [#rollBack] may follow.
  ///
  /// @param atMost the approximate number of entries; all of them unless [#collectsInSteps]
  /// @return the number of entries that were passed to the visitor
  /// @throws RefusedAtCommitException if a value is too large that was not measured when it was
  ///   put, or its serde cannot write it
  /// @throws IllegalStateException if nothing is frozen, or this has failed
  public int collect(int atMost, ChangeVisitor visitor) {
    layers.requireNoVisitor("collect");
    if (phase != Phase.FROZEN) {
      throw new IllegalStateException(
          "No changes of task %s are frozen.".formatted(context.task()));
    }
    phase = Phase.FAILED;
    layers.beginVisit();
    try {
      int from = shown;
      boolean all = context.commits().encodeFrozen(stores, inSteps ? atMost : Integer.MAX_VALUE);
      show(visitor);
      phase = all ? Phase.PENDING : Phase.FROZEN;
      return shown - from;
    } finally {
      layers.endVisit();
      context.evict();
    }
  }

  /// Does [#freeze] and [#collect] at once.
  public void collect(ChangeVisitor visitor) {
    freeze();
    while (phase == Phase.FROZEN) {
      collect(Integer.MAX_VALUE, visitor);
    }
  }

  private void show(ChangeVisitor visitor) {
    Layer pending = layers.pending();
    Bytes key = new Bytes();
    Bytes value = new Bytes();
    for (; shown < pending.count(); shown++) {
      visitor.change(pending.key(shown, key), pending.value(shown, value));
    }
  }

  /// Makes pending entries committed.
  ///
  /// @throws IllegalStateException if nothing was collected
  public void acknowledge() {
    layers.requireNoVisitor("acknowledge");
    if (phase != Phase.PENDING) {
      throw new IllegalStateException("No commit of task %s is pending.".formatted(context.task()));
    }
    layers.acknowledge(stores::isOrdered, inSteps);
    context.buffer().trim();
    phase = Phase.NONE;
    migration.acknowledged();
  }

  /// Continues the work that [#acknowledge] has left, if any: it merges newly committed entries
  /// into earlier ones. Results do not depend on when that is done; a [#flush] or the next commit
  /// does what is left.
  ///
  /// @param atMost the approximate number of entries
  /// @return whether there was anything to do
  public boolean settle(int atMost) {
    return layers.merge(atMost);
  }

  /// Sets a mark for [#undo]: entries that are live now stay live. It encodes all entries that were
  /// changed since the last mark.
  ///
  /// @throws RefusedAtCommitException as [#collect]; only a [#rollBack] may follow
  public void mark() {
    layers.requireNoVisitor("mark");
    context.commits().save(stores);
  }

  /// Drops the changes since the last [#mark]; and every decoded object if one may have been
  /// changed in place.
  public void undo() {
    layers.requireNoVisitor("undo");
    if (!stores.valuesAreImmutable() || !context.commits().revert(stores)) {
      context.commits().encodeFrozen(stores, Integer.MAX_VALUE);
      cache.clear();
    }
    migration.rolledBack();
  }

  /// Drops pending entries and every decoded object, so that only the committed state is left.
  public void rollBack() {
    layers.requireNoVisitor("roll back");
    cache.clear();
    layers.saved().clear();
    layers.pending().clear();
    context.buffer().trim();
    phase = Phase.NONE;
    migration.rolledBack();
  }

  /// Returns what takes entries of the changelog in.
  public StateRestore restoring() {
    return restoring;
  }

  /// Does [#beginFlush] and [#finishFlush] at once. A flush under way is finished before.
  public void flush(byte[] position) {
    if (layers.isFlushing()) {
      finishFlush();
    }
    if (restoring.inBulk()) {
      restoring.flush(position);
      gauges.flushed();
    } else {
      beginFlush(position);
      finishFlush();
    }
  }

  /// Begins to write all committed entries to the disk as one sorted run, which may be empty,
  /// together with their position. Live and pending entries are not changed, and the stores can be
  /// used meanwhile. Before [#finishFlush], it is undefined whether the run is on the disk.
  ///
  /// @param position what [#diskPosition] is to return: where the last acknowledged commit ended
  /// @throws IllegalStateException if a flush is under way, or while it is restored in bulk
  public void beginFlush(byte[] position) {
    layers.requireNoVisitor("flush");
    restoring.requireNoBulk();
    layers.beginFlush(position);
    migration.flushBegins();
  }

  /// Returns whether a flush was begun and not finished.
  public boolean isFlushing() {
    return layers.isFlushing();
  }

  /// Returns whether [#finishFlush] would return without waiting.
  public boolean flushIsReady() {
    return layers.flushIsReady();
  }

  /// Finishes a flush. If the disk fails, the committed entries are kept in memory, with those that
  /// were committed meanwhile, and a flush may be begun again.
  public void finishFlush() {
    layers.requireNoVisitor("flush");
    layers.finishFlush(stores::isOrdered);
    gauges.flushed();
    migration.flushed();
  }

  /// Returns the committed state, for readers outside the task.
  public CommittedState committed() {
    return new CommittedState(context, stores);
  }

  /// Returns what shows the entries on the disk; to be stepped between [#collect] and
  /// [#acknowledge].
  public DiskCopy copy() {
    return new DiskCopy(context);
  }

  /// Says which entries are the task's own: others are not found in ranges, nor by those who ask
  /// from outside, and are not swept. Nobody gets or puts one of these.
  public void own(OwnEntries own) {
    context.own(own);
  }

  /// Sets the task's time, by which values expire. It must be determined by commits: it is set to
  /// the time in a commit record, when the state is restored to that commit and when the commit is
  /// collected, and does not change between.
  ///
  /// @param millis since 1970
  public void clock(long millis) {
    context.clock().set(millis);
  }

  /// Returns the shortest time that values of a store live, in ms; 0 if all live for ever.
  public long shortestTimeToLiveMillis() {
    return sweep.shortestTimeToLiveMillis();
  }

  /// Reads the next entries on disk of stores with a time to live, and deletes those that have
  /// expired and are no longer visible. Their tombstones are written by the next commit.
  ///
  /// @param atMost the largest number of entries to read
  /// @return whether any was deleted
  public boolean sweep(int atMost) {
    layers.requireNoVisitor("sweep");
    return sweep.step(atMost);
  }

  /// Returns the migration of values that earlier versions of their serdes wrote.
  public MigrationSweep migration() {
    return migration;
  }

  /// Closes the disk. Committed entries that are not on it are in the changelog.
  @Override
  public void close() {
    layers.disk().close();
  }

  /// Returns whether anything was changed since the last [#freeze].
  public boolean hasChanges() {
    return cache.dirtyCount() > 0 || layers.saved().count() > 0;
  }

  /// Sets other shares of memory from now on; see [StoreContext#share].
  public void share(StateLimits shares) {
    context.share(shares);
  }

  /// Returns whether a commit was collected and neither acknowledged nor rolled back.
  public boolean isPending() {
    return phase == Phase.PENDING;
  }

  /// Returns whether live entries exceed their share of memory, so that a commit is due. Nothing
  /// fails if it is late.
  public boolean wantsCommit() {
    return cache.dirtyBytes() + layers.saved().bytes() > context.limits().liveShareBytes();
  }

  /// Returns whether committed entries that are not being written to the disk exceed two thirds of
  /// their share of memory, so that a flush is due; the last third is for entries that are
  /// committed meanwhile. Nothing fails if the flush is late.
  public boolean wantsFlush() {
    long share = context.limits().committedShareBytes();
    return layers.unflushedBytes() > share / 3 * 2 || restoring.bytes() > share;
  }

  /// Returns whether committed entries exceed their share of memory, so that nothing should be
  /// processed before a flush.
  public boolean needsFlush() {
    return gauges.committedBytes() > context.limits().committedShareBytes();
  }

  /// Returns what the state takes and has done.
  public StateGauges gauges() {
    return gauges;
  }
}
