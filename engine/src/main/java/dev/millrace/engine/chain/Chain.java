package dev.millrace.engine.chain;

import dev.millrace.api.function.EventTime;
import dev.millrace.api.function.Watermark;
import dev.millrace.api.serde.Serde;
import dev.millrace.engine.operators.OperatorContext;
import dev.millrace.engine.time.FarAhead;
import dev.millrace.engine.time.InputTime;
import dev.millrace.engine.topology.Node;
import dev.millrace.spi.RecordBatch;
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
  private final Map<String, List<Head>> heads;
  private final List<Timed> timed;
  private final Rows rows = new Rows();
  private long maxTimestamp = Long.MIN_VALUE;

  Chain(Step.Place place, TaskTime time, Map<String, List<Head>> heads, List<Timed> timed) {
    this.place = place;
    this.time = time;
    this.heads = heads;
    this.timed = timed;
  }

  /// Opens every operator.
  public void open(Function<Node.Stateful, OperatorContext> contexts) {
    for (Timed each : timed) {
      each.step.operator().open(contexts.apply(each.node));
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
    for (Head head : Objects.requireNonNull(heads.get(batch.split().stream()))) {
      rows.startUndecoded(batch, head.valueSerde, head.table);
      for (int i = from; i < to; i++) {
        if (!keyed || batch.hasKey(i)) {
          rows.addOrigin(i, batch.timestamp(i));
          if (keyed && Retraction.isMarked(batch, i)) {
            rows.retract();
          }
        }
      }
      place.enter(head.step, rows);
      readTimes(head, farAhead);
      head.step.process(rows);
    }
    place.enter(null, null);
    return maxTimestamp;
  }

  private void readTimes(Head head, @Nullable FarAhead farAhead) {
    if (farAhead != null) {
      farAhead.again();
    }
    EventTime<Object> eventTime = head.eventTime;
    if (eventTime != null) {
      Object[] values = rows.values();
      for (int i = 0, size = rows.size(); i < size; i++) {
        rows.current = i;
        if (rows.hasValue(i)) {
          rows.timestamp(i, eventTime.of(values[i]).toEpochMilli());
        }
      }
    }
    if (head.watermark != null) {
      ask(head.watermark, farAhead);
      return;
    }
    for (int i = 0, size = rows.size(); i < size; i++) {
      long timestamp = rows.timestamp(i);
      if (farAhead == null || farAhead.believes(timestamp)) {
        maxTimestamp = Math.max(maxTimestamp, timestamp);
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
        if (after.isAfter(before)
            && (farAhead == null || farAhead.believes(after.toEpochMilli()))) {
          maxTimestamp = after.toEpochMilli();
        }
      }
    }
  }

  /// Brings the operators up to a watermark, one after the other, with about `budget` results at
  /// most.
  ///
  /// @return whether all have arrived
  public boolean advance(long watermark, int budget) {
    for (Timed each : timed) {
      long own = InputTime.delayed(watermark, each.delayMillis);
      if (each.watermark < own) {
        if (!each.step.advance(place, own, budget)) {
          return false;
        }
        each.watermark = own;
      }
    }
    time.come(watermark);
    place.enter(null, null);
    return true;
  }

  /// See [dev.millrace.engine.operators.Operator#beforeCommit].
  public void beforeCommit(long number) {
    for (Timed each : timed) {
      each.step.operator().beforeCommit(number);
    }
  }

  /// See [dev.millrace.engine.operators.Operator#afterCommit].
  public boolean afterCommit(long number) {
    boolean more = false;
    for (Timed each : timed) {
      more |= each.step.operator().afterCommit(number);
    }
    return more;
  }

  /// Says up to which watermark the operators were brought before they were opened.
  public void watermark(long watermark) {
    time.come(watermark);
    for (Timed each : timed) {
      each.watermark = InputTime.delayed(watermark, each.delayMillis);
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

  /// Closes every operator. What user code throws at its end concerns nobody else: it is logged.
  public void close() {
    for (Timed each : timed) {
      try {
        each.step.operator().close();
        // outermost: user code at its end, whatever it throws
      } catch (RuntimeException e) {
        LOG.warn("{} failed when it was closed.", each.step.name, e);
      }
    }
  }

  /// Where the records of a stream come in.
  ///
  /// @param table whether a record may have no value; then its own timestamp is its event time
  record Head(
      Step step,
      Serde<Object> valueSerde,
      @Nullable EventTime<Object> eventTime,
      @Nullable Watermark<Object> watermark,
      boolean table) {

    /// Whether values are read for the sake of their time.
    boolean readsValues() {
      return eventTime != null || watermark != null;
    }
  }

  /// An operator that event time is brought to.
  static final class Timed {
    private final Node.Stateful node;
    private final StatefulStep step;
    private final long delayMillis;
    private long watermark = Long.MIN_VALUE;

    Timed(Node.Stateful node, StatefulStep step) {
      this.node = node;
      this.step = step;
      delayMillis = node.delayMillis();
    }
  }
}
