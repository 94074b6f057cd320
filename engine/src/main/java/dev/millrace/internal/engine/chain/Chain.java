package dev.millrace.internal.engine.chain;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.plan.KeyShare;
import dev.millrace.internal.engine.time.ExchangeTime;
import dev.millrace.internal.engine.time.FarAhead;
import dev.millrace.internal.engine.topology.Node;
import dev.millrace.spi.RecordBatch;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The operators of one task, ready to run. Used by one thread.
///
/// Records go through them here. Without records they go on by [#timed], and [#failure] knows what
/// has failed.
public final class Chain {
  private final Step.Place place;
  private final TaskTime time;
  private final Map<String, List<ChainHead>> heads;

  /// The operators with state.
  private final List<TimedOperator> stateful;

  private final TimedOperators timed;
  private final ChainFailure failure;
  private final Rows rows = new Rows();
  private final Bytes keyView = new Bytes();
  private long maxTimestamp = Long.MIN_VALUE;

  Chain(
      Step.Place place,
      TaskTime time,
      Map<String, List<ChainHead>> heads,
      List<TimedOperator> stateful) {
    this.place = place;
    this.time = time;
    this.heads = heads;
    this.stateful = stateful;
    timed = new TimedOperators(place, time, stateful);
    failure = new ChainFailure(place, time, stateful);
  }

  /// Opens every operator.
  public void open(Function<Node.Stateful, OperatorContext> contexts) {
    for (TimedOperator each : stateful) {
      each.restore(time.watermark());
      each.step.open(contexts.apply(each.node));
      each.opened();
    }
  }

  /// Returns what brings the operators forward without records.
  public TimedOperators timed() {
    return timed;
  }

  /// Returns what has failed, and the way back.
  public ChainFailure failure() {
    return failure;
  }

  /// Processes the records from `from` to before `to`; leaves out those without a key if `keyed`.
  ///
  /// @return the largest event time among them, `Long.MIN_VALUE` if there was none
  public long process(RecordBatch batch, int from, int to, boolean keyed) {
    return process(batch, from, to, keyed, KeyShare.ALL, null, Long.MIN_VALUE);
  }

  /// @param keys whose records are processed; those of others only tell the time of a source
  /// @param farAhead is asked whose time to leave out; null for none
  /// @param before the largest event time so far, or where the source's own watermark stands
  /// @return the same behind these records
  public long process(
      RecordBatch batch,
      int from,
      int to,
      boolean keyed,
      KeyShare keys,
      @Nullable FarAhead farAhead,
      long before) {
    maxTimestamp = before;
    place.start();
    place.probe.enter(place);
    for (ChainHead head : Objects.requireNonNull(heads.get(batch.split().stream()))) {
      rows.startUndecoded(batch, head.valueSerde(), !keyed, head.mayLackValues());
      for (int i = from; i < to; i++) {
        if (!keyed || (batch.hasKey(i) && (keys.isAll() || keys.has(batch, i, keyView)))) {
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
      if (!keys.isAll() && !keyed) {
        rows.retain(origin -> keys.has(batch, origin, keyView)); // all tell the time
      }
      rows.putDeletions(head.deletion());
      head.step().process(rows);
    }
    rows.end();
    place.leave();
    return maxTimestamp;
  }

  private void readTimes(ChainHead head, @Nullable FarAhead farAhead) {
    if (farAhead != null) {
      farAhead.again();
    }
    if (head.eventTime() != null) {
      SourceTimes.assign(rows, head.eventTime());
    }
    if (head.refusedAhead() != null && farAhead != null) {
      SourceTimes.refuse(rows, head.refusedAhead(), farAhead.now());
    }
    if (head.watermark() != null) {
      maxTimestamp = SourceTimes.ask(rows, head.watermark(), maxTimestamp, farAhead);
      return;
    }
    for (int i = 0, size = rows.size(); i < size; i++) {
      long timestamp = rows.timestamp(i);
      if (farAhead == null || farAhead.believes(timestamp)) {
        maxTimestamp = Math.max(maxTimestamp, timestamp);
      }
    }
  }

  /// See [dev.millrace.internal.engine.operators.Operator#beforeCommit].
  public void beforeCommit(long number) {
    for (TimedOperator each : stateful) {
      each.step.operator().beforeCommit(number);
    }
  }

  /// See [dev.millrace.internal.engine.operators.Operator#afterCommit].
  public boolean afterCommit(long number) {
    boolean more = false;
    for (TimedOperator each : stateful) {
      more |= each.step.operator().afterCommit(number);
    }
    return more;
  }

  /// Closes every operator.
  public void close() {
    stateful.forEach(TimedOperator::close);
  }
}
