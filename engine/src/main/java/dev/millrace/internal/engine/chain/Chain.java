package dev.millrace.internal.engine.chain;

import dev.millrace.api.function.EventTime;
import dev.millrace.api.function.Watermark;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.internal.engine.operators.AsyncOperator;
import dev.millrace.internal.engine.operators.ClockedOperator;
import dev.millrace.internal.engine.operators.Due;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.time.ExchangeTime;
import dev.millrace.internal.engine.time.FarAhead;
import dev.millrace.internal.engine.time.InputTime;
import dev.millrace.internal.engine.time.TaskClock;
import dev.millrace.internal.engine.topology.Node;
import dev.millrace.spi.RecordBatch;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The operators of one task, ready to run. Used by one thread.
public final class Chain {
  private static final Logger LOG = LoggerFactory.getLogger(Chain.class);

  private final Step.Place place;
  private final TaskTime time;
  private final Map<String, List<ChainHead>> heads;
  private final List<Timed> timed;

  /// Those of them that hold back event time.
  private final List<Timed> async;

  /// Those of them that do something as time goes by.
  private final List<Timed> clocked;

  private final Rows rows = new Rows();
  private long maxTimestamp = Long.MIN_VALUE;

  Chain(Step.Place place, TaskTime time, Map<String, List<ChainHead>> heads, List<Timed> timed) {
    this.place = place;
    this.time = time;
    this.heads = heads;
    this.timed = timed;
    async = timed.stream().filter(each -> each.async != null).toList();
    clocked = timed.stream().filter(Timed::isClocked).toList();
  }

  /// Opens every operator.
  public void open(Function<Node.Stateful, OperatorContext> contexts) {
    for (Timed each : timed) {
      each.watermark = each.reach(time.watermark());
      each.step.open(contexts.apply(each.node));
      each.opened();
    }
  }

  /// Processes the records from `from` to before `to`; leaves out those without a key if `keyed`.
  ///
  /// @return the largest event time among them, `Long.MIN_VALUE` if there was none
  public long process(RecordBatch batch, int from, int to, boolean keyed) {
    return process(batch, from, to, keyed, null, Long.MIN_VALUE);
  }

  /// @param farAhead is asked whose time to leave out; null for none
  /// @param before the largest event time so far, or where the source's own watermark stands
  /// @return the same behind these records
  public long process(
      RecordBatch batch,
      int from,
      int to,
      boolean keyed,
      @Nullable FarAhead farAhead,
      long before) {
    maxTimestamp = before;
    place.start();
    place.probe.enter(place);
    for (ChainHead head : Objects.requireNonNull(heads.get(batch.split().stream()))) {
      rows.startUndecoded(batch, head.valueSerde(), !keyed, head.mayLackValues());
      for (int i = from; i < to; i++) {
        if (!keyed || batch.hasKey(i)) {
          long timestamp = batch.timestamp(i);
          rows.addOrigin(i, keyed ? ExchangeTime.ofTimestamp(timestamp) : timestamp);
          if (keyed && Retraction.isMarked(batch, i)) {
            rows.retract();
          }
        }
      }
      place.enterHead(head.step(), rows);
      rows.requireValues();
      readTimes(head, farAhead);
      rows.putDeletions(head.deletion());
      head.step().process(rows);
    }
    rows.end();
    leave();
    return maxTimestamp;
  }

  private void readTimes(ChainHead head, @Nullable FarAhead farAhead) {
    if (farAhead != null) {
      farAhead.again();
    }
    EventTime<Object> eventTime = head.eventTime();
    if (eventTime != null) {
      Object[] values = rows.values();
      for (int i = 0, size = rows.size(); i < size; i++) {
        rows.current = i;
        if (rows.hasValue(i)) {
          rows.timestamp(i, eventTime.of(values[i]).toEpochMilli());
        }
      }
    }
    if (head.refusedAhead() != null && farAhead != null) {
      refuse(head.refusedAhead(), farAhead.now());
    }
    if (head.watermark() != null) {
      ask(head.watermark(), farAhead);
      return;
    }
    for (int i = 0, size = rows.size(); i < size; i++) {
      long timestamp = rows.timestamp(i);
      if (farAhead == null || farAhead.believes(timestamp)) {
        maxTimestamp = Math.max(maxTimestamp, timestamp);
      }
    }
  }

  private void refuse(Duration ahead, long now) {
    long latest = now + ahead.toMillis();
    for (int i = 0, size = rows.size(); i < size; i++) {
      if (rows.timestamp(i) > latest) {
        rows.current = i;
        throw new SerdeException(
            "The event time is %s, more than %s ahead of the clock, which the source refuses."
                .formatted(Instant.ofEpochMilli(rows.timestamp(i)), ahead));
      }
    }
  }

  /// Asks the source for its own watermark.
  private void ask(Watermark<Object> own, @Nullable FarAhead farAhead) {
    Object[] values = rows.values();
    for (int i = 0, size = rows.size(); i < size; i++) {
      rows.current = i;
      if (rows.hasValue(i)) {
        Instant before =
            maxTimestamp == Long.MIN_VALUE ? Instant.MIN : Instant.ofEpochMilli(maxTimestamp);
        Instant after = own.after(before, values[i], Instant.ofEpochMilli(rows.timestamp(i)));
        long told = after.isAfter(before) ? after.toEpochMilli() : maxTimestamp;
        if (farAhead == null || farAhead.believes(told)) {
          maxTimestamp = told;
        }
      }
    }
  }

  /// Brings the operators up to a watermark, one after the other, with about `budget` results at
  /// most.
  ///
  /// @return whether all have arrived
  public boolean advance(long watermark, int budget) {
    place.probe.enter(place);
    for (Timed each : timed) {
      long own = each.reach(watermark);
      if (each.watermark < own) {
        if (!each.step.advance(place, own, budget)) {
          leave();
          return false;
        }
        each.watermark = own;
      }
      each.letPass();
    }
    for (Timed each : async) {
      each.passed();
    }
    time.come(watermark);
    leave();
    return true;
  }

  /// Emits what other systems have answered.
  ///
  /// @return whether anything was done
  public boolean poll() {
    boolean any = false;
    place.probe.enter(place);
    for (int i = 0, size = async.size(); i < size; i++) {
      Timed each = async.get(i);
      any |= each.step.poll(place, Objects.requireNonNull(each.async));
    }
    leave();
    return any;
  }

  /// Whether an operator may have something to do by the clock.
  public boolean isDue(TaskClock clock) {
    long first = Long.MAX_VALUE;
    for (int i = 0, size = clocked.size(); i < size; i++) {
      first = Math.min(first, clocked.get(i).clocked().dueMillis());
    }
    return first < Long.MAX_VALUE && first <= clock.millis();
  }

  /// Has the operators do what is due by the clock, with about `budget` results at most of each.
  ///
  /// @return whether there was anything
  public boolean tick(long nowMillis, int budget) {
    boolean any = false;
    place.probe.enter(place);
    for (Timed each : clocked) {
      ClockedOperator operator = each.clocked();
      if (operator.dueMillis() <= nowMillis) {
        any |= each.step.tick(place, operator, nowMillis, budget);
      }
    }
    leave();
    return any;
  }

  /// No operator is at work any more.
  private void leave() {
    place.enter(null, null);
    place.probe.leave();
  }

  /// Whether event time may move on behind an operator that held it back.
  public boolean isBehind() {
    for (int i = 0, size = async.size(); i < size; i++) {
      if (async.get(i).couldPass() > async.get(i).passing) {
        return true;
      }
    }
    return false;
  }

  /// Whether rows wait for the answers of other systems.
  public boolean isWaiting() {
    for (int i = 0, size = async.size(); i < size; i++) {
      if (Objects.requireNonNull(async.get(i).async).isWaiting()) {
        return true;
      }
    }
    return false;
  }

  /// Whether it should be given more rows now.
  public boolean hasRoom() {
    for (int i = 0, size = async.size(); i < size; i++) {
      if (!Objects.requireNonNull(async.get(i).async).hasRoom()) {
        return false;
      }
    }
    return true;
  }

  /// What of a watermark that all operators have come to may be told to others: less where rows
  /// wait.
  public long told(long watermark) {
    long told = watermark;
    for (int i = 0, size = async.size(); i < size; i++) {
      told = Math.min(told, async.get(i).told());
    }
    return told;
  }

  /// See [dev.millrace.internal.engine.operators.Operator#beforeCommit].
  public void beforeCommit(long number) {
    for (Timed each : timed) {
      each.step.operator().beforeCommit(number);
    }
  }

  /// See [dev.millrace.internal.engine.operators.Operator#afterCommit].
  public boolean afterCommit(long number) {
    boolean more = false;
    for (Timed each : timed) {
      more |= each.step.operator().afterCommit(number);
    }
    return more;
  }

  /// Begins with something that can be undone as long as no operator with state was at work.
  public void begin() {
    place.mark();
  }

  /// Has the operators mark a place to go back to.
  ///
  /// @return whether they can
  public boolean mark() {
    boolean all = true;
    for (Timed each : timed) {
      all &= each.step.operator().mark();
    }
    return all;
  }

  /// Whether operators with state were at work since [#begin].
  public boolean isTouched() {
    return place.isTouched();
  }

  /// Forgets what failed, for which nothing must have been touched.
  public void forget() {
    place.forget();
  }

  /// Has the operators go back to the last [#mark], to which their stores were brought; all of them
  /// had come to this watermark.
  public void undo(long watermark, Function<Node.Stateful, OperatorContext> contexts) {
    place.forget();
    time.come(watermark);
    for (Timed each : timed) {
      each.watermark = each.reach(watermark);
      if (!each.step.operator().undo()) {
        close(each);
        each.step.renew();
        each.step.open(contexts.apply(each.node));
      }
      each.opened();
    }
  }

  /// Says up to which watermark the operators were brought before they were opened.
  public void watermark(long watermark) {
    time.come(watermark);
    for (Timed each : timed) {
      each.watermark = each.reach(watermark);
    }
  }

  /// The watermark of one operator, which may be later than that of the task.
  public long watermark(Node.Stateful node) {
    for (Timed each : timed) {
      if (each.node.id() == node.id()) {
        return each.watermark;
      }
    }
    throw new AssertionError("Not in this chain: " + node.name());
  }

  /// The operator at work, in words; empty if none is.
  public String failedOperator() {
    return place.operator();
  }

  /// The record of the batch at work, or -1.
  public int failedRecord() {
    return place.record();
  }

  /// Whether [#failedRecord] is the one that failed. Where an operator takes several inputs of the
  /// same records, one may have failed for the sake of another that came behind it.
  public boolean isCertain() {
    return place.isCertain();
  }

  /// What an operator was to make without a record at hand when it, or one behind it, failed; null
  /// if there is none.
  public @Nullable FailedResult failedResult() {
    StatefulStep source = place.source();
    if (source == null) {
      return null;
    }
    Bytes at = place.result();
    for (Timed each : timed) {
      if (each.step == source) {
        return new FailedResult(each.node, at == null ? null : source.operator().due(at));
      }
    }
    throw new AssertionError("Not in this chain: " + source.name);
  }

  /// @param operator that was to make it
  /// @param due null if it is not known which, or if nobody can pass it over
  public record FailedResult(Node.Stateful operator, @Nullable Due due) {}

  /// Closes every operator. What user code throws at its end concerns nobody else: it is logged.
  public void close() {
    timed.forEach(Chain::close);
  }

  private static void close(Timed each) {
    try {
      each.step.operator().close();
      // outermost: user code at its end, whatever it throws
    } catch (RuntimeException e) {
      LOG.warn("{} failed while it was closed.", each.step.name, e);
    }
  }

  /// An operator that event time is brought to.
  static final class Timed {
    private final Node.Stateful node;
    private final StatefulStep step;
    private final long delayMillis;

    /// Null if it holds nothing back.
    private final @Nullable AsyncOperator async;

    /// Those before it, without others between, that hold event time back.
    private final List<Timed> holding;

    private long watermark = InputTime.UNKNOWN;

    /// The watermark that those behind it are brought to.
    private long passing = InputTime.UNKNOWN;

    /// The watermark that all behind it have come to.
    private long passed = InputTime.UNKNOWN;

    Timed(Node.Stateful node, StatefulStep step, List<Timed> holding) {
      this.node = node;
      this.step = step;
      this.holding = holding;
      delayMillis = node.delayMillis();
      async = step.operator() instanceof AsyncOperator operator ? operator : null;
    }

    boolean isAsync() {
      return async != null;
    }

    /// Whether time alone concerns it.
    private boolean isClocked() {
      return step.operator() instanceof ClockedOperator;
    }

    private ClockedOperator clocked() {
      return (ClockedOperator) step.operator();
    }

    boolean isOf(Node other) {
      return node.id() == other.id();
    }

    /// How far the task's watermark brings it.
    private long reach(long taskWatermark) {
      long own = InputTime.delayed(taskWatermark, delayMillis);
      for (Timed each : holding) {
        own = Math.min(own, InputTime.delayed(each.passing, delayMillis - each.delayMillis));
      }
      return own;
    }

    private void opened() {
      if (async != null) {
        passed = async.passed();
        passing = passed;
      }
    }

    private long couldPass() {
      return async == null ? watermark : Math.min(watermark, async.hold());
    }

    private void letPass() {
      passing = Math.max(passing, couldPass());
    }

    private void passed() {
      if (async != null && passed != passing) {
        passed = passing;
        async.passed(passed);
      }
    }

    /// The watermark of the task at which all behind it come as far as they have.
    private long told() {
      return passed == InputTime.UNKNOWN || passed == InputTime.ENDED
          ? passed
          : passed + delayMillis;
    }
  }
}
