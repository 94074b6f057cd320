package dev.millrace.internal.engine.input;

import dev.millrace.internal.engine.chain.Chain;
import dev.millrace.internal.engine.commit.CommitRecord;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.time.ControlRecord;
import dev.millrace.internal.engine.time.ExchangeTime;
import dev.millrace.internal.engine.time.FarAhead;
import dev.millrace.internal.engine.time.InputTime;
import dev.millrace.internal.engine.topology.Node;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.settings.RecordPlace;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What a task reads of one split: batches that wait, the position up to which records were
/// processed, and the event time they told.
public final class TaskInput {
  /// Holds nobody back.
  private static final InputTime NO_TIME =
      new InputTime.OfSource(0, InputTime.UNKNOWN, false, true);

  private final Split split;
  private final Plan.Input planned;
  private final ArrayDeque<RecordBatch> inbox = new ArrayDeque<>();
  private final InputTime.@Nullable OfSource sourceTime;
  private final InputTime.@Nullable OfExchange exchangeTime;
  private final long end;
  private final boolean broadcast;
  private final @Nullable FarAhead farAhead;
  private final Idleness idleness;
  private Position position;

  /// Of a direct exchange: what lies before this offset is still read from its topic. -1 for any
  /// other input.
  private long topicEnd = -1;

  private boolean inMemory;

  /// Null if no state depends on where its keys lie.
  private @Nullable PartitionCheck keyPlaces;

  /// What is read before this one.
  private List<TaskInput> tables = List.of();

  /// How far others wait for it; -1 if none does.
  private long awaitedEnd = -1;

  private int next;
  private long waitingBytes;

  /// Since when it has nothing to process although it is not at its end; -1 if it has.
  private long dryNanos = -1;

  /// @param end the offset behind the last record to read, or -1
  private TaskInput(
      Split split,
      Plan.Input planned,
      Position position,
      long end,
      InputTime.@Nullable OfSource sourceTime,
      InputTime.@Nullable OfExchange exchangeTime) {
    this.split = split;
    this.planned = planned;
    this.position = position;
    this.end = end;
    broadcast = planned.broadcast();
    this.sourceTime = sourceTime;
    farAhead =
        sourceTime == null
            ? null
            : new FarAhead(planned.maxAheadMillis(), sourceTime.maxTimestamp());
    this.exchangeTime = exchangeTime;
    idleness =
        exchangeTime != null
            ? Idleness.of(exchangeTime)
            : Idleness.of(Objects.requireNonNull(sourceTime), end < 0 && !broadcast);
  }

  /// An input that was never read.
  ///
  /// @param upstreamTasks how many tasks feed it; 0 for a source
  public static TaskInput create(
      Split split, Plan.Input planned, Position start, long end, int upstreamTasks) {
    if (upstreamTasks > 0) {
      return new TaskInput(
          split, planned, start, end, null, new InputTime.OfExchange(upstreamTasks));
    }
    InputTime.OfSource time =
        new InputTime.OfSource(planned.disorderMillis(), InputTime.UNKNOWN, false, false);
    TaskInput input = new TaskInput(split, planned, start, end, time, null);
    input.checkEnd();
    return input;
  }

  /// An input as a commit left it.
  static TaskInput restore(CommitRecord.Input from, Plan.Input planned) {
    if (from.upstream().isEmpty()) {
      InputTime.OfSource time =
          new InputTime.OfSource(
              planned.disorderMillis(), from.maxTimestamp(), from.idle(), from.ended());
      return new TaskInput(from.split(), planned, from.position(), from.end(), time, null);
    }
    InputTime.OfExchange time = new InputTime.OfExchange(from.upstream().size());
    for (int i = 0; i < from.upstream().size(); i++) {
      time.hear(i, from.upstream().get(i).watermark(), from.upstream().get(i).idle());
    }
    return new TaskInput(from.split(), planned, from.position(), from.end(), null, time);
  }

  /// Has the operators process the records of [#head] from [#next] to before `to`.
  ///
  /// @param now the time of day, in milliseconds since 1970 (UTC)
  /// @return the largest event time among them that is believed
  public long process(Chain chain, int to, long now, TaskMetrics metrics) {
    if (farAhead == null) {
      return chain.process(head(), next, to, isExchange());
    }
    farAhead.begin(now);
    long latest =
        chain.process(
            head(),
            next,
            to,
            isExchange(),
            farAhead,
            Objects.requireNonNull(sourceTime).maxTimestamp());
    if (farAhead.found() > 0) {
      metrics.addFarAhead(farAhead.found());
    }
    return latest;
  }

  /// What [#process] was given last is to be processed again.
  public void again() {
    if (farAhead != null) {
      farAhead.again();
    }
  }

  public CommitRecord.Input toCommitRecord() {
    List<CommitRecord.Upstream> upstream = new ArrayList<>();
    if (exchangeTime != null) {
      for (int i = 0; i < exchangeTime.upstreamTasks(); i++) {
        upstream.add(
            new CommitRecord.Upstream(exchangeTime.watermarkOf(i), exchangeTime.idleOf(i)));
      }
      return new CommitRecord.Input(
          split, position, end, InputTime.UNKNOWN, false, ended(), upstream);
    }
    InputTime.OfSource time = Objects.requireNonNull(sourceTime);
    return new CommitRecord.Input(
        split, position, end, time.maxTimestamp(), time.idle(), time.ended(), upstream);
  }

  /// Says that the exchange is a direct one, and where its topic ends, into which it went before.
  public TaskInput direct(long newTopicEnd) {
    topicEnd = newTopicEnd;
    inMemory = isTopicRead();
    return this;
  }

  /// Says that its task keeps state: if its stream is said to be partitioned by its keys, each of
  /// its records must lie where its key says.
  void forState() {
    boolean keyed =
        planned.heads().stream().anyMatch(head -> head instanceof Node.Input i && i.keyed());
    keyPlaces = keyed && !broadcast ? new PartitionCheck(split, planned.partitions()) : null;
  }

  /// Says that others wait until it is read up to an offset, or to its end if it is bounded.
  ///
  /// @return how far they wait for it
  long await(long offset) {
    awaitedEnd = end < 0 ? offset : end;
    return awaitedEnd;
  }

  /// Whether it was read as far as others wait for it.
  boolean isCaughtUp() {
    return inMemory || position.offset() >= awaitedEnd || ended();
  }

  /// How many offsets are left until it [#isCaughtUp].
  long awaited() {
    return isCaughtUp() ? 0 : awaitedEnd - position.offset();
  }

  /// Lets it wait until tables are caught up.
  void waitFor(List<TaskInput> newTables) {
    tables = newTables;
  }

  /// Whether others need not wait for it.
  Idleness idleness() {
    return idleness;
  }

  /// Whether it waits for a table: nothing of it may be processed.
  public boolean isHeld() {
    for (int i = 0, count = tables.size(); i < count; i++) {
      if (!tables.get(i).isCaughtUp()) {
        return true;
      }
    }
    return false;
  }

  /// Whether it has records to read that others of its stage wait for; see [Alignment].
  ///
  /// @param patienceNanos for how long they are waited for where they do not come
  public boolean catchesUp(EndOffsets ends, long nowNanos, long patienceNanos) {
    if (!inbox.isEmpty()) {
      dryNanos = -1;
      return mayBeAligned();
    }
    if (!mayBeAligned()) {
      return false;
    }
    long known = ends.endOffset(split);
    if (known >= 0 && position.offset() >= known) {
      dryNanos = -1;
      return false;
    }
    if (dryNanos < 0) {
      dryNanos = nowNanos;
    }
    return nowNanos - dryNanos < patienceNanos;
  }

  private boolean mayBeAligned() {
    return !broadcast && !inMemory && !ended();
  }

  /// Whether it may be made to wait for others in event time: not while others wait for it, as for
  /// a table.
  public boolean mayBeHeld() {
    return mayBeAligned() && isCaughtUp();
  }

  /// The event time it has come to, in milliseconds since 1970 (UTC).
  public long readUpTo() {
    return sourceTime != null
        ? sourceTime.maxTimestamp()
        : Objects.requireNonNull(exchangeTime).watermark();
  }

  public Split split() {
    return split;
  }

  public boolean isExchange() {
    return exchangeTime != null;
  }

  /// Whether every task reads its split, for a broadcast table.
  public boolean isBroadcast() {
    return broadcast;
  }

  public boolean isDirect() {
    return topicEnd >= 0;
  }

  /// Whether records come through memory: those of a direct exchange, once what was left in its
  /// topic is processed. They have no offsets; the position is that in the topic.
  public boolean inMemory() {
    return inMemory;
  }

  private boolean isTopicRead() {
    return isDirect() && (position.offset() >= topicEnd || ended());
  }

  /// The time that counts for the task: a broadcast table, which is looked up as it is, does not
  /// hold it back.
  public InputTime time() {
    return broadcast ? NO_TIME : ownTime();
  }

  private InputTime ownTime() {
    return sourceTime != null ? sourceTime : Objects.requireNonNull(exchangeTime);
  }

  Position position() {
    return position;
  }

  /// Whether nothing more is to be read.
  public boolean ended() {
    return ownTime().watermark() == InputTime.ENDED;
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
    inbox.add(batch);
    waitingBytes += batch.memoryBytes();
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
    if (!inMemory) {
      throw new IllegalStateException(
          "A batch reached %s through memory before its topic was read up to %d; it is at %d."
              .formatted(split, topicEnd, position.offset()));
    }
    inbox.add(batch);
    waitingBytes += batch.memoryBytes();
  }

  public boolean hasWaiting() {
    return !inbox.isEmpty();
  }

  int waiting() {
    return inbox.size();
  }

  /// The memory of the batches that wait.
  long waitingBytes() {
    return waitingBytes;
  }

  /// The batch in which the next record waits; only if [#hasWaiting].
  public RecordBatch head() {
    return inbox.element();
  }

  /// Where a record of [#head] lies; null if it has no place, since it came through memory.
  public @Nullable RecordPlace place(int index) {
    return inMemory
        ? null
        : new RecordPlace(split.stream(), split.partition(), head().offset(index));
  }

  /// The timestamp of a record of [#head]; of an exchange, the event time that it stands for.
  public long time(int index) {
    long timestamp = head().timestamp(index);
    return isExchange() ? ExchangeTime.ofTimestamp(timestamp) : timestamp;
  }

  /// How many records are left until the input's end as it is known; negative if it is not.
  long lag(EndOffsets ends) {
    if (ended() || inMemory) {
      return 0;
    }
    long known = ends.endOffset(split);
    return known < 0 ? -1 : Math.max(0, known - position.offset());
  }

  /// Looks through [#head], once, if state depends on where its keys lie.
  ///
  /// @throws MovedKeyException if one of its records lies in another partition than its key says
  public void requirePartitionedByKey() {
    if (keyPlaces != null) {
      keyPlaces.require(head(), end);
    }
  }

  /// The next record of [#head].
  public int next() {
    return next;
  }

  /// How far a slice of at most `most` records of [#head] may reach: not behind the end of the
  /// input.
  public int sliceEnd(int most) {
    RecordBatch batch = head();
    int to = Math.min(batch.size(), next + most);
    if (end >= 0) {
      while (to > next && batch.offset(to - 1) >= end) {
        to--;
      }
    }
    return to;
  }

  /// Records before `to` are processed, the latest of them at `maxTimestamp`.
  public void advance(int to, long maxTimestamp) {
    RecordBatch batch = head();
    if (!inMemory) {
      position = batch.position(to);
    }
    next = to;
    if (sourceTime != null && maxTimestamp != InputTime.UNKNOWN) {
      sourceTime.observe(maxTimestamp);
    }
    if (sourceTime != null) {
      idleness.heard();
    }
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
    if (!inMemory && isTopicRead()) {
      inMemory = true;
      clear();
    }
  }

  private void checkEnd() {
    if (sourceTime != null && end >= 0 && position.offset() >= end) {
      sourceTime.end();
      clear();
    }
  }

  /// Takes in what upstream tasks said among some records of an exchange.
  ///
  /// @param planVersion of the job
  public void hear(RecordBatch batch, int from, int to, long planVersion) {
    InputTime.OfExchange time = Objects.requireNonNull(exchangeTime);
    for (int i = from; i < to; i++) {
      if (!batch.hasKey(i)) {
        ControlRecord control = ControlRecords.read(batch, i, time.upstreamTasks(), planVersion);
        time.hear(control.upstreamPartition(), control.watermark(), control.idle());
      }
    }
  }

  /// Whether all there is was processed.
  ///
  /// @param logEnd the end of what can be read, -1 if not known
  boolean isAtEnd(long logEnd) {
    return logEnd >= 0 && position.offset() >= logEnd && inbox.isEmpty();
  }

  Plan.Input planned() {
    return planned;
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
