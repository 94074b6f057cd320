package dev.millrace.internal.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.state.cache.ObjectCache;
import dev.millrace.internal.state.layer.ByteTable;
import dev.millrace.internal.state.layer.Layer;
import dev.millrace.internal.state.layer.Layers;
import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskException;
import dev.millrace.spi.DiskImage;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// All stores of one task, and the layers a commit moves their entries through.
///
/// Read from the top an entry is **live** (changed since the last commit, a decoded object),
/// **pending** (encoded and sent with a commit whose outcome is not known), **committed**
/// (acknowledged, not yet on disk) or on **disk**. [#freeze] and [#collect] make what is live
/// pending, [#acknowledge] makes that committed, [#flush] writes all that is committed to the disk
/// at once together with the position it reaches. An aborted commit is undone by [#rollBack];
/// nothing of it was ever below. So the disk is always a prefix of the changelog, and [#restoring]
/// the rest makes the state whole again.
///
/// The key of an entry, here, in the changelog and on disk, is its store's number in two bytes,
/// big-endian, and the key's bytes. Number 0 belongs to the commit record and is never seen here.
///
/// While a commit is pending, stores can be read and written; only the next [#freeze] has to wait.
/// While a visitor runs, of a range or of a commit, nothing may be changed. For one thread.
/// Failures of the disk are [DiskException]s and pass through.
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
  private final Predicate<Bytes> ordered;
  private final CommitEncoder commits;
  private final ExpirySweep sweep;
  private final StateRestore restoring;
  private final StateGauges gauges;
  private final boolean inSteps;
  private Phase phase = Phase.NONE;

  /// How many pending entries were shown.
  private int shown;

  /// @param task the task's name, for messages
  /// @param disk open; closed with this
  /// @throws IllegalArgumentException if two stores have the same number
  public TaskState(String task, Disk disk, List<NumberedStore> stores, StateLimits limits) {
    context = StoreContext.of(task, disk, limits);
    cache = context.cache();
    layers = context.layers();
    commits = context.commits();
    this.stores = new StoreTable(context, stores);
    sweep = new ExpirySweep(cache, layers, this.stores);
    ordered = this.stores::isOrdered;
    inSteps = this.stores.changeWhileFrozen();
    restoring = new StateRestore(context, this.stores, () -> hasChanges() || phase != Phase.NONE);
    gauges = new StateGauges(context, restoring);
  }

  /// Has somebody be told of values that come near the limit of their store.
  public void watch(LargeValues watcher) {
    stores.watch(watcher);
  }

  /// How large the values of each store are.
  public List<StoreSizes> sizes() {
    return stores.sizes();
  }

  /// The store with a number; the caller knows its types.
  ///
  /// @throws IllegalArgumentException if the task has none of that number
  @SuppressWarnings("unchecked")
  public <K, V> CachedStore<K, V> store(int number) {
    return (CachedStore<K, V>) stores.of(number);
  }

  /// The position of the last [#flush] as it was handed in, or null if there was none.
  public byte @Nullable [] diskPosition() {
    return layers.disk().position();
  }

  /// The disk as the last [#flush] left it; see [Disk#image].
  public @Nullable DiskImage diskImage() {
    return layers.disk().image();
  }

  /// Begins a commit of what is live; [#collect] does the rest, in steps if [#collectsInSteps].
  ///
  /// @throws IllegalStateException if a commit is under way
  public void freeze() {
    layers.requireNoVisitor("freeze");
    restoring.requireNoBulk();
    requireNoCommit();
    assert cleanObjectsAreUnchanged();
    commits.freezeSaved(stores);
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

  /// Whether stores may be read and written between [#freeze] and the end of [#collect]: if none is
  /// read in ranges, no value expires, and all serdes' values are immutable ([Serde#immutable]).
  public boolean collectsInSteps() {
    return inSteps;
  }

  /// Makes the next entries that [#freeze] has frozen pending and shows them: each entry that was
  /// changed since the last commit once, with the value it had when this one began. The order
  /// depends on the operations only, not on sizes of caches. Whatever fails here, the visitor
  /// included, only a [#rollBack] may follow.
  ///
  /// @param atMost how many entries, about; all of them if not [#collectsInSteps]
  /// @return how many were shown
  /// @throws RefusedAtCommitException if a value is too large that was not measured when it was
  ///   put, or its serde cannot write it
  /// @throws IllegalStateException if nothing is frozen, or this has failed
  public int collect(int atMost, ChangeVisitor visitor) {
    layers.requireNoVisitor("collect");
    if (phase != Phase.FROZEN) {
      throw new IllegalStateException("Nothing of task %s is frozen.".formatted(context.task()));
    }
    phase = Phase.FAILED;
    layers.beginVisit();
    try {
      int from = shown;
      boolean all = commits.encodeFrozen(stores, inSteps ? atMost : Integer.MAX_VALUE);
      show(visitor);
      phase = all ? Phase.PENDING : Phase.FROZEN;
      return shown - from;
    } finally {
      layers.endVisit();
      cache.evict();
    }
  }

  /// [#freeze] and [#collect] in one go.
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

  private boolean cleanObjectsAreUnchanged() {
    Bytes key = new Bytes();
    int changed =
        context
            .mutations()
            .findChanged(
                cache, (entry, object) -> stores.of(cache.key(entry, key)).fingerprint(object));
    if (changed != ByteTable.NONE) {
      cache.key(changed, key);
      throw new AssertionError(
          "The object under key %s in store '%s' of task %s was changed and not put again."
              .formatted(StoreTable.withoutNumber(key), stores.of(key).name(), context.task()));
    }
    return true;
  }

  /// Makes what is pending committed.
  ///
  /// @throws IllegalStateException if nothing was collected
  public void acknowledge() {
    layers.requireNoVisitor("acknowledge");
    if (phase != Phase.PENDING) {
      throw new IllegalStateException("No commit of task %s is pending.".formatted(context.task()));
    }
    layers.acknowledge(ordered, inSteps);
    context.buffer().trim();
    phase = Phase.NONE;
  }

  /// Goes on with what [#acknowledge] left to do, if anything: to merge what it made committed into
  /// what was committed before. Nothing depends on when that is done, and a [#flush] or the next
  /// commit does what is left.
  ///
  /// @param atMost how many entries, about
  /// @return whether there was anything to do
  public boolean settle(int atMost) {
    return layers.merge(atMost);
  }

  /// Marks a place for [#undo]: what is live now stays live, whatever happens behind it. Costs an
  /// encoding of all that was changed since the last mark.
  ///
  /// @throws RefusedAtCommitException as [#collect]; only a [#rollBack] may follow
  public void mark() {
    layers.requireNoVisitor("mark");
    commits.save(stores);
  }

  /// Drops what was changed since the last [#mark]; and every decoded object if one may have been
  /// changed in place.
  public void undo() {
    layers.requireNoVisitor("undo");
    if (!stores.valuesAreImmutable() || !commits.revert(stores)) {
      commits.encodeFrozen(stores, Integer.MAX_VALUE);
      cache.clear();
    }
  }

  /// Drops what is live and pending and every decoded object: the state is what is committed.
  public void rollBack() {
    layers.requireNoVisitor("roll back");
    cache.clear();
    layers.saved().clear();
    layers.pending().clear();
    context.buffer().trim();
    phase = Phase.NONE;
  }

  /// Returns what takes entries of the changelog in.
  public StateRestore restoring() {
    return restoring;
  }

  /// [#beginFlush] and [#finishFlush] in one go; a flush under way is finished before.
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

  /// Begins to write all that is committed to the disk as one sorted run, together with the
  /// position it reaches; an empty run if nothing is. What is live or pending stays, and the stores
  /// can be used meanwhile; nobody knows from outside whether it has happened before
  /// [#finishFlush].
  ///
  /// @param position what [#diskPosition] is to return: where the last acknowledged commit ended
  /// @throws IllegalStateException if a flush is under way, or while it is restored in bulk
  public void beginFlush(byte[] position) {
    layers.requireNoVisitor("flush");
    if (restoring.inBulk()) {
      throw new IllegalStateException("What is gathered is written in one go, by flush.");
    }
    layers.beginFlush(position);
  }

  /// Whether a flush was begun and not finished.
  public boolean isFlushing() {
    return layers.isFlushing();
  }

  /// Whether [#finishFlush] would not have to wait.
  public boolean flushIsReady() {
    return layers.flushIsReady();
  }

  /// Finishes a flush. If the disk refuses, nothing has changed since it was begun but what was
  /// committed meanwhile, and a flush may be begun again.
  public void finishFlush() {
    layers.requireNoVisitor("flush");
    layers.finishFlush(ordered);
    gauges.flushed();
  }

  /// What is committed, for readers outside the task.
  public CommittedState committed() {
    return new CommittedState(layers, stores);
  }

  /// Sets the task's time, by which values of stores with a time to live expire. It must follow
  /// from what is committed: it is set to the time in a commit record, when that is what the state
  /// is gone on from and when it was collected, and stands still between.
  ///
  /// @param millis since 1970
  public void clock(long millis) {
    context.clock().set(millis);
  }

  /// The shortest time that values of a store live, in milliseconds; 0 if all live for ever.
  public long shortestTimeToLiveMillis() {
    return sweep.shortestTimeToLiveMillis();
  }

  /// Looks at the next entries on disk of stores with a time to live and deletes those that have
  /// expired, which nobody can see any more: their tombstones go with the next commit.
  ///
  /// @param atMost how many entries to look at
  /// @return whether any was deleted
  public boolean sweep(int atMost) {
    layers.requireNoVisitor("sweep");
    return sweep.step(atMost);
  }

  /// Closes the disk. What is not on it is in the changelog.
  @Override
  public void close() {
    layers.disk().close();
  }

  /// Whether anything was changed since the last [#freeze].
  public boolean hasChanges() {
    return cache.dirtyCount() > 0 || layers.saved().count() > 0;
  }

  /// Whether a commit was collected and neither acknowledged nor rolled back.
  public boolean isPending() {
    return phase == Phase.PENDING;
  }

  /// Whether what is live exceeds its share: a commit is due. Nothing fails if it comes late.
  public boolean wantsCommit() {
    return cache.dirtyBytes() + layers.saved().bytes() > context.limits().liveShareBytes();
  }

  /// Whether what is committed, and not being written to the disk, exceeds two thirds of its share:
  /// a flush is due, and the rest is for what is committed meanwhile. Nothing fails if it comes
  /// late.
  public boolean wantsFlush() {
    long share = context.limits().committedShareBytes();
    return layers.unflushedBytes() > share / 3 * 2 || restoring.bytes() > share;
  }

  /// Whether what is committed exceeds its share: nothing should be taken on before a flush is
  /// done.
  public boolean needsFlush() {
    return gauges.committedBytes() > context.limits().committedShareBytes();
  }

  /// Returns what the state takes and has done.
  public StateGauges gauges() {
    return gauges;
  }
}
