package dev.millrace.internal.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.state.layer.ByteTable;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Disk;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Puts values anew that earlier versions of their serdes wrote, in steps, until all stores of the
/// task whose serdes have earlier versions were gone through once.
///
/// It reads entries on disk: each value is decoded and encoded, and put if that gives other bytes.
/// So the next commit holds it, as if an operator had put it. A key with an entry in a layer above
/// the disk is skipped, because its value on disk is outdated; what lies there when the migration
/// begins may have been written before, so it waits until that is on the disk.
///
/// Its position is lost when the task is closed: the next pass begins anew, and only reads what is
/// migrated. A roll-back brings the position back to where it was at the last commit.
public final class MigrationSweep {
  /// After so many entries, or so many bytes, the clock is read.
  private static final int CHUNK = 64;

  private static final int CHUNK_BYTES = 16 * 1024;

  /// Commits after which everything is committed that was live or pending before.
  private static final int COMMITS = 2;

  private enum Phase {
    NOT_BEGUN,
    /// Until all that was live or pending at the beginning is committed.
    COMMITTING,
    /// Until all that was committed then is on the disk.
    FLUSHING,
    READING,
    OVER
  }

  /// Where the sweep is.
  ///
  /// @param store the index of its number
  /// @param from the key to go on from; null for the first of the store
  private record Place(int store, @Nullable Bytes from) {}

  private final StoreContext context;
  private final StoreTable stores;
  private final int[] numbers;
  private final BooleanSupplier wantsCommit;
  private final Runnable requireNoCommit;
  private final long[] migrated;
  private final long[] failed;
  private Phase phase = Phase.NOT_BEGUN;
  private int commitsLeft = COMMITS;
  private boolean flushHoldsAll;
  private Place place = new Place(0, null);
  private Place committed = place;
  private long puts;
  private StoredBytes stored = new StoredBytes();
  private List<String> failures = new ArrayList<>();

  /// @param wantsCommit whether live entries take so much memory that no more should be put
  static MigrationSweep of(
      StoreContext context,
      StoreTable table,
      List<NumberedStore> stores,
      BooleanSupplier wantsCommit,
      Runnable requireNoCommit) {
    int[] migrated =
        stores.stream()
            .filter(NumberedStore::isMigrated)
            .mapToInt(NumberedStore::number)
            .sorted()
            .toArray();
    return new MigrationSweep(context, table, migrated, wantsCommit, requireNoCommit);
  }

  /// @param numbers of the stores
  /// @param wantsCommit whether live entries take so much memory that no more should be put
  private MigrationSweep(
      StoreContext context,
      StoreTable stores,
      int[] numbers,
      BooleanSupplier wantsCommit,
      Runnable requireNoCommit) {
    this.requireNoCommit = requireNoCommit;
    this.context = context;
    this.stores = stores;
    this.numbers = numbers;
    this.wantsCommit = wantsCommit;
    migrated = new long[numbers.length];
    failed = new long[numbers.length];
  }

  /// Begins, if it has not; nothing may be written in an earlier version any more.
  public void begin() {
    if (phase == Phase.NOT_BEGUN) {
      phase = numbers.length == 0 ? Phase.OVER : Phase.COMMITTING;
    }
  }

  /// Returns whether it has to be given [#step]s.
  public boolean isReading() {
    return phase == Phase.READING;
  }

  /// Returns whether a commit is needed for it to go on, also if nothing else has changed.
  public boolean needsCommit() {
    return phase == Phase.COMMITTING || phase == Phase.READING;
  }

  /// Returns whether all values were seen, and those that were put anew are committed.
  public boolean isOver() {
    return phase == Phase.OVER || numbers.length == 0;
  }

  /// Returns how far each store is.
  public List<StoreMigration> progress() {
    List<StoreMigration> progress = new ArrayList<>();
    for (int i = 0; i < numbers.length; i++) {
      progress.add(new StoreMigration(stores.of(numbers[i]).name(), migrated[i], failed[i]));
    }
    return progress;
  }

  /// Returns of each store which value was the first that could not be migrated, and why; each
  /// once.
  public List<String> takeFailures() {
    List<String> taken = failures;
    failures = taken.isEmpty() ? taken : new ArrayList<>();
    return taken;
  }

  /// A commit was acknowledged.
  void acknowledged() {
    committed = place;
    if (phase == Phase.COMMITTING && --commitsLeft == 0) {
      phase = context.layers().hasCommitted() ? Phase.FLUSHING : Phase.READING;
      flushHoldsAll = context.layers().unflushedBytes() == 0;
    } else if (phase == Phase.READING && place.store == numbers.length) {
      phase = Phase.OVER;
    }
  }

  /// Changes since the last commit are dropped, or some of them.
  void rolledBack() {
    place = committed;
    stored.restart();
  }

  /// A flush of everything committed begins.
  void flushBegins() {
    flushHoldsAll = true;
  }

  /// The flush that has begun last is on the disk.
  void flushed() {
    if (phase == Phase.FLUSHING && flushHoldsAll) {
      phase = Phase.READING;
    }
  }

  /// Reads the next entries, and puts values anew.
  ///
  /// @param budgetNanos after which it ends; some entries are read in any case
  /// @param budgetBytes as they are on the disk, after which it ends
  /// @return how many bytes were read, as they are on the disk, about
  /// @throws IllegalStateException if a commit is under way
  public long step(Clock clock, long budgetNanos, long budgetBytes) {
    context.layers().requireNoVisitor("migrate");
    requireNoCommit.run();
    long end = clock.nanos() + budgetNanos;
    stored.begin(budgetBytes);
    boolean goesOn = true;
    while (goesOn && phase == Phase.READING && place.store < numbers.length) {
      goesOn = read(stores.of(numbers[place.store]), clock, end);
    }
    return stored.ofStep();
  }

  /// Returns how many values were put anew since the task was opened.
  public long puts() {
    return puts;
  }

  /// Reads the next entries of a store.
  ///
  /// @return whether there is time for the next store
  private boolean read(CachedStore<?, ?> store, Clock clock, long end) {
    int number = numbers[place.store];
    Bytes start = place.from == null ? StoreTable.prefix(number) : place.from;
    stored.from(start);
    try (Disk.Cursor cursor = context.layers().disk().range(start, StoreTable.prefix(number + 1))) {
      int seen = 0;
      int bytes = 0;
      boolean full = false;
      while (cursor.next()) {
        if (full || seen == CHUNK || bytes > CHUNK_BYTES) {
          stored.read(bytes);
          if (full || stored.areEnough() || clock.nanos() - end >= 0) {
            place = new Place(place.store, cursor.key().copy());
            stored.measure(context.layers().disk(), Objects.requireNonNull(place.from));
            return false;
          }
          seen = 0;
          bytes = 0;
        }
        seen++;
        bytes += cursor.key().length() + cursor.value().length();
        full = visit(store, cursor.key(), cursor.value()) && wantsCommit.getAsBoolean();
      }
      stored.read(bytes);
      stored.restart();
    }
    place = new Place(place.store + 1, null);
    return !wantsCommit.getAsBoolean() && !stored.areEnough() && clock.nanos() - end < 0;
  }

  private <V> boolean visit(CachedStore<?, V> store, Bytes key, Bytes encoded) {
    int hash = ByteTable.hash(key);
    if (!context.isOnDiskOnly(hash, key)) {
      return false;
    }
    V value;
    try {
      value = store.outdated(key, encoded);
    } catch (RuntimeException e) { // outermost: of the serde, which may be the user's
      failed[place.store]++;
      if (failed[place.store] == 1) {
        failures.add(
            "The value of key %s in store '%s' of task %s was not migrated: %s"
                .formatted(StoreTable.withoutNumber(key), store.name(), context.task(), e));
      }
      return false;
    }
    if (value == null) {
      return false;
    }
    store.putEncoded(hash, key, value);
    migrated[place.store]++;
    puts++;
    return true;
  }
}
