package dev.millrace.internal.engine.metrics;

import dev.millrace.internal.state.StateMemory;
import dev.millrace.internal.state.StoreMigration;
import dev.millrace.internal.state.StoreSizes;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Counters of a task, written by its worker once a batch and read by anyone.
public final class TaskMetrics {
  private final AtomicLong processed = new AtomicLong();
  private final AtomicLong busyNanos = new AtomicLong();
  private final AtomicLong restored = new AtomicLong();
  private final AtomicLong skipped = new AtomicLong();
  private final AtomicLong farAhead = new AtomicLong();
  private final AtomicLong deadLetters = new AtomicLong();
  private final LatencyHistogram latency = new LatencyHistogram();
  private final SnapshotMetrics snapshots = new SnapshotMetrics();
  private final Map<String, LateMetrics> late = new ConcurrentSkipListMap<>();
  private final Map<String, CallMetrics> calls = new ConcurrentSkipListMap<>();
  private volatile long watermark = Long.MIN_VALUE;
  private volatile long lag = -1;
  private volatile boolean ended;
  private volatile long restoreRemaining;
  private volatile long tablesRemaining;
  private volatile StateMemory memory = StateMemory.NONE;
  private volatile List<StoreSizes> sizes = List.of();
  private volatile @Nullable SortedMap<Integer, Long> storeBytes;
  private volatile List<StoreMigration> migrations = List.of();
  private volatile boolean migrated = true;

  public void addProcessed(int records) {
    processed.addAndGet(records);
  }

  /// Its worker has processed its records for that long.
  public void addBusy(long nanos) {
    busyNanos.setRelease(busyNanos.getPlain() + nanos); // written by one thread
  }

  public void addRestored(int records) {
    restored.addAndGet(records);
  }

  public void addBad(long newSkipped, long newDeadLetters) {
    skipped.addAndGet(newSkipped);
    deadLetters.addAndGet(newDeadLetters);
  }

  public LateMetrics lateOf(String operator) {
    return late.computeIfAbsent(operator, _ -> new LateMetrics());
  }

  public CallMetrics callsOf(String operator) {
    return calls.computeIfAbsent(operator, _ -> new CallMetrics());
  }

  public void addFarAhead(int records) {
    farAhead.addAndGet(records);
  }

  public void lag(long newLag) {
    lag = newLag;
  }

  public void ended(boolean now) {
    ended = now;
  }

  public void restoreRemaining(long offsets) {
    restoreRemaining = offsets;
  }

  public void tablesRemaining(long offsets) {
    tablesRemaining = offsets;
  }

  public void memory(StateMemory ofState) {
    memory = ofState;
  }

  public void sizes(List<StoreSizes> ofStores) {
    sizes = ofStores;
  }

  public void storeBytes(SortedMap<Integer, Long> ofStores) {
    storeBytes = ofStores;
  }

  /// @param over whether all values are of the version that is written now
  public void migration(List<StoreMigration> ofStores, boolean over) {
    migrations = ofStores;
    migrated = over;
  }

  public void watermark(long newWatermark) {
    watermark = newWatermark;
  }

  /// Records read from the task's inputs, control records included; those read again after a
  /// roll-back count again.
  public long processed() {
    return processed.get();
  }

  /// Returns how long its records have been processed, in nanoseconds.
  public long busyNanos() {
    return busyNanos.get();
  }

  /// Records of the changelog replayed.
  public long restored() {
    return restored.get();
  }

  /// Bad records and results passed over or sent to the dead-letter topic; each counts once, when
  /// the commit that goes on without it has taken place.
  public long skipped() {
    return skipped.get();
  }

  /// Records that came behind the watermark and too late to change anything.
  public long late() {
    return late.values().stream().mapToLong(LateMetrics::tooLate).sum();
  }

  /// Late records of each operator that has had any, by its name.
  public Map<String, LateMetrics> lateByOperator() {
    return Collections.unmodifiableMap(late);
  }

  /// How many records wait for the answers of other systems.
  public long waiting() {
    return calls.values().stream().mapToLong(CallMetrics::waiting).sum();
  }

  /// The calls of each operator that asks another system, by its name.
  public Map<String, CallMetrics> callsByOperator() {
    return Collections.unmodifiableMap(calls);
  }

  /// Records whose event time was too far ahead to move the watermark.
  public long farAhead() {
    return farAhead.get();
  }

  /// The task's event time in milliseconds since 1970, `Long.MIN_VALUE` if unknown,
  /// `Long.MAX_VALUE` at the end.
  public long watermark() {
    return watermark;
  }

  /// Those of [#skipped] that went to the dead-letter topic.
  public long deadLetters() {
    return deadLetters.get();
  }

  /// How many offsets the inputs hold that were not processed; -1 if that is not known. As of a
  /// moment ago.
  public long lag() {
    return lag;
  }

  /// Whether its inputs have come to their end, and all that followed from them is committed.
  public boolean ended() {
    return ended;
  }

  /// How many offsets of the changelog are still to be replayed.
  public long restoreRemaining() {
    return restoreRemaining;
  }

  /// How many offsets of tables are still to be read before records of the streams that are joined
  /// with them are processed. As of a moment ago.
  public long tablesRemaining() {
    return tablesRemaining;
  }

  /// Memory for state: decoded objects and what is not on disk yet. As of a moment ago.
  public long stateBytes() {
    return memory.bytes();
  }

  /// The same by its parts.
  public StateMemory memory() {
    return memory;
  }

  /// How large the values of each store are. As of a moment ago.
  public List<StoreSizes> sizes() {
    return sizes;
  }

  /// About how many bytes each store takes, parked ones included, by its number; null if that was
  /// not measured yet. As of some seconds ago.
  public @Nullable SortedMap<Integer, Long> storeBytes() {
    return storeBytes;
  }

  /// How far the values of each store whose serde has earlier versions are migrated. As of a moment
  /// ago.
  public List<StoreMigration> migrations() {
    return migrations;
  }

  /// Whether no value is left that an earlier version of a serde wrote. As of a moment ago.
  public boolean isMigrated() {
    return migrated;
  }

  /// Of its snapshots.
  public SnapshotMetrics snapshots() {
    return snapshots;
  }

  /// From the time that records of sources have in the log, to the acknowledgement of the commit
  /// with what they caused, in milliseconds; sampled at the first and the last record of each
  /// slice. Where producers write the time of old events, it is the events' age.
  public LatencyHistogram latency() {
    return latency;
  }
}
