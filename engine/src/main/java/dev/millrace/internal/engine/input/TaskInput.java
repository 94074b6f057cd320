package dev.millrace.internal.engine.input;

import dev.millrace.internal.engine.commit.CommitRecord;
import dev.millrace.internal.engine.plan.KeyShare;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.time.InputTime;
import dev.millrace.internal.engine.topology.Node;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// What a task reads of one split: the batches that wait, and the position up to which records were
/// processed.
///
/// Its event time is a [#clock] of its own, and its [#order] says when it waits for other inputs.
public final class TaskInput {
  private final Split split;
  private final Plan.Input planned;
  private final ArrayDeque<RecordBatch> inbox = new ArrayDeque<>();
  private final long end;
  private final InputClock clock;
  private final InputOrder order = new InputOrder(this);
  private final DirectHandOver handOver = new DirectHandOver();
  private Position position;

  /// Null if no state depends on where its keys lie.
  private @Nullable PartitionCheck keyPlaces;

  /// Which keys its task has; all of them if the task was never split.
  private KeyShare keys = KeyShare.ALL;

  private int next;
  private long waitingBytes;

  /// @param end the offset behind the last record to read, or -1
  private TaskInput(
      Split split, Plan.Input planned, Position position, long end, InputClock clock) {
    this.split = split;
    this.planned = planned;
    this.position = position;
    this.end = end;
    this.clock = clock;
  }

  /// Returns an input that was never read.
  ///
  /// @param upstreamTasks how many tasks feed it; 0 for a source
  public static TaskInput create(
      Split split, Plan.Input planned, Position start, long end, int upstreamTasks) {
    InputClock clock = InputClock.create(planned, end >= 0, upstreamTasks);
    TaskInput input = new TaskInput(split, planned, start, end, clock);
    input.checkEnd();
    return input;
  }

  /// Returns an input as a commit left it.
  ///
  /// @param upstreamTasks how many tasks the plan has that feed it; 0 for a source
  static TaskInput restore(CommitRecord.Input from, Plan.Input planned, int upstreamTasks) {
    InputClock clock = InputClock.restore(from, planned, upstreamTasks);
    return new TaskInput(from.split(), planned, from.position(), from.end(), clock);
  }

  /// Returns what a commit keeps of the input.
  public CommitRecord.Input toCommitRecord() {
    return clock.toCommitRecord(split, position, end);
  }

  /// Makes the input a direct exchange.
  ///
  /// @param topicEnd the end of the topic into which the exchange went before
  public TaskInput direct(long topicEnd) {
    handOver.begin(topicEnd);
    handOver.moved(position.offset(), ended());
    return this;
  }

  /// Says which keys its task has.
  void of(KeyShare newKeys) {
    keys = newKeys;
  }

  /// Returns which keys its task has: the others' records are passed by.
  public KeyShare keys() {
    return isBroadcast() ? KeyShare.ALL : keys;
  }

  /// Says that its task keeps state: if its stream is said to be partitioned by its keys, each of
  /// its records must lie where its key says.
  void forState() {
    boolean keyed =
        planned.heads().stream().anyMatch(head -> head instanceof Node.Input i && i.keyed());
    keyPlaces = keyed && !isBroadcast() ? new PartitionCheck(split, planned.partitions()) : null;
  }

  /// Returns its event time.
  public InputClock clock() {
    return clock;
  }

  /// Returns what other inputs have to do with when it is read.
  public InputOrder order() {
    return order;
  }

  public Split split() {
    return split;
  }

  public boolean isExchange() {
    return clock.isExchange();
  }

  /// Whether its partition was added to its topic after the job was planned.
  boolean isAdded() {
    return !isExchange() && split.partition() >= planned.partitions();
  }

  /// Whether a record of it was processed.
  boolean wasRead() {
    return clock.readUpTo() != InputTime.UNKNOWN;
  }

  /// Whether every task reads its split, for a broadcast table.
  public boolean isBroadcast() {
    return clock.isBroadcast();
  }

  public boolean isDirect() {
    return handOver.isDirect();
  }

  /// Whether its records come through memory; see [DirectHandOver].
  public boolean inMemory() {
    return handOver.inMemory();
  }

  Position position() {
    return position;
  }

  /// Returns the offset behind the last record to read, or -1.
  long end() {
    return end;
  }

  /// Whether nothing more is to be read.
  public boolean ended() {
    return clock.hasEnded();
  }

  /// Takes over the caller's reference.
  void add(RecordBatch batch) {
    if (batch.nextOffset() <= position.offset()) {
      batch.release();
      return;
    }
    if (inbox.isEmpty()) {
      passOver(batch);
    }
    append(batch);
  }

  /// What is read for several tasks may begin before the place where this one stands.
  private void passOver(RecordBatch batch) {
    next = 0;
    while (next < batch.size() && batch.offset(next) < position.offset()) {
      next++;
    }
  }

  /// Takes over a batch that came through memory.
  public void receive(RecordBatch batch) {
    handOver.require(split, position.offset());
    append(batch);
  }

  private void append(RecordBatch batch) {
    inbox.add(batch);
    waitingBytes += batch.memoryBytes();
  }

  public boolean hasWaiting() {
    return !inbox.isEmpty();
  }

  int waiting() {
    return inbox.size();
  }

  /// Returns the memory of the batches that wait.
  long waitingBytes() {
    return waitingBytes;
  }

  /// Returns the batch in which the next record waits; only if [#hasWaiting].
  public RecordBatch head() {
    return inbox.element();
  }

  /// Returns the next record of [#head].
  public int next() {
    return next;
  }

  /// Begins a slice of [#head], from [#next] on.
  ///
  /// @param most how many records it may have
  /// @return behind its last record; it does not reach over the end of the input
  /// @throws MovedKeyException if state depends on where keys lie, and a record of the batch lies
  ///   in another partition than its key says
  public int beginSlice(int most) {
    RecordBatch batch = head();
    if (keyPlaces != null) {
      keyPlaces.require(batch, end);
    }
    int to = Math.min(batch.size(), next + most);
    if (end >= 0) {
      while (to > next && batch.offset(to - 1) >= end) {
        to--;
      }
    }
    return to;
  }

  /// Moves on behind the records of [#head] before `to`, which are processed.
  ///
  /// @param latest the largest event time among those of a source that is believed
  /// @param plan of the job
  public void advance(int to, long latest, Plan plan) {
    RecordBatch batch = head();
    clock.advance(batch, next, to, latest, plan);
    if (!inMemory()) {
      position = batch.position(to);
    }
    next = to;
    boolean passedEnd = end >= 0 && position.offset() >= end;
    if (to == batch.size() || passedEnd) {
      inbox.remove();
      waitingBytes -= batch.memoryBytes();
      next = 0;
      batch.release();
      if (keyPlaces != null) {
        keyPlaces.next();
      }
    }
    checkEnd();
    if (handOver.moved(position.offset(), ended())) {
      clear();
    }
  }

  private void checkEnd() {
    if (!isExchange() && end >= 0 && position.offset() >= end) {
      clock.end();
      clear();
    }
  }

  /// Drops what waits.
  public void clear() {
    inbox.forEach(RecordBatch::release);
    inbox.clear();
    waitingBytes = 0;
    next = 0;
    if (keyPlaces != null) {
      keyPlaces.next();
    }
  }
}
