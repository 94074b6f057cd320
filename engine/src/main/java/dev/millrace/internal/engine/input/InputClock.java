package dev.millrace.internal.engine.input;

import dev.millrace.internal.engine.commit.CommitRecord;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.time.ControlRecord;
import dev.millrace.internal.engine.time.FarAhead;
import dev.millrace.internal.engine.time.InputTime;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The event time of an input. That of a source follows from its records, that of an exchange from
/// what the upstream tasks announce among them.
public final class InputClock {
  /// Holds nobody back.
  private static final InputTime NO_TIME =
      new InputTime.OfSource(0, InputTime.UNKNOWN, false, true);

  private final InputTime.@Nullable OfSource source;
  private final InputTime.@Nullable OfExchange exchange;
  private final int upstreamTasks;
  private final boolean broadcast;
  private final @Nullable FarAhead farAhead;
  private final Idleness idleness;

  private InputClock(InputTime.OfSource source, Plan.Input planned, boolean bounded) {
    this.source = source;
    exchange = null;
    upstreamTasks = 0;
    broadcast = planned.broadcast();
    farAhead = new FarAhead(planned.maxAheadMillis(), source.maxTimestamp());
    idleness = Idleness.of(source, !bounded && !broadcast);
  }

  /// @param upstreamTasks how many partitions the stage has that feeds it
  private InputClock(InputTime.OfExchange exchange, int upstreamTasks, Plan.Input planned) {
    source = null;
    this.exchange = exchange;
    this.upstreamTasks = upstreamTasks;
    broadcast = planned.broadcast();
    farAhead = null;
    idleness = Idleness.of(exchange);
  }

  /// Returns the clock of an input that was never read.
  ///
  /// @param bounded whether it has an end
  /// @param upstreamTasks how many tasks feed it; 0 for a source
  static InputClock create(Plan.Input planned, boolean bounded, int upstreamTasks) {
    return upstreamTasks > 0
        ? new InputClock(new InputTime.OfExchange(upstreamTasks), upstreamTasks, planned)
        : new InputClock(
            new InputTime.OfSource(planned.disorderMillis(), InputTime.UNKNOWN, false, false),
            planned,
            bounded);
  }

  /// Returns the clock of an input as a commit left it.
  ///
  /// @param upstreamTasks how many partitions the stage has that feeds it; 0 for a source
  static InputClock restore(CommitRecord.Input from, Plan.Input planned, int upstreamTasks) {
    if (from.upstream().isEmpty()) {
      return new InputClock(
          new InputTime.OfSource(
              planned.disorderMillis(), from.maxTimestamp(), from.idle(), from.ended()),
          planned,
          from.end() >= 0);
    }
    // What was kept before there was a plan of so many may be fewer.
    InputTime.OfExchange time =
        new InputTime.OfExchange(Math.min(upstreamTasks, from.upstream().size()));
    for (int i = 0; i < from.upstream().size(); i++) {
      time.hear(i, from.upstream().get(i).watermark(), from.upstream().get(i).idle());
    }
    return new InputClock(time, upstreamTasks, planned);
  }

  /// Returns what a commit keeps of the input.
  CommitRecord.Input toCommitRecord(Split split, Position position, long end) {
    List<CommitRecord.Upstream> upstream = new ArrayList<>();
    if (exchange != null) {
      for (int i = 0; i < exchange.upstreamTasks(); i++) {
        upstream.add(new CommitRecord.Upstream(exchange.watermarkOf(i), exchange.idleOf(i)));
      }
      return new CommitRecord.Input(
          split, position, end, InputTime.UNKNOWN, false, hasEnded(), upstream);
    }
    InputTime.OfSource time = Objects.requireNonNull(source);
    return new CommitRecord.Input(
        split, position, end, time.maxTimestamp(), time.idle(), time.ended(), upstream);
  }

  boolean isExchange() {
    return exchange != null;
  }

  /// Whether every task reads the split, for a broadcast table.
  boolean isBroadcast() {
    return broadcast;
  }

  /// Returns the time that counts for the task. A broadcast table, which is looked up at any time,
  /// does not hold it back.
  public InputTime time() {
    return broadcast ? NO_TIME : own();
  }

  private InputTime own() {
    return source != null ? source : Objects.requireNonNull(exchange);
  }

  /// Returns the event time up to which the input was read, in milliseconds since 1970 (UTC).
  public long readUpTo() {
    return source != null ? source.maxTimestamp() : own().watermark();
  }

  /// Whether nothing more is to be read.
  boolean hasEnded() {
    return own().watermark() == InputTime.ENDED;
  }

  /// Ends the input if it is one of a source.
  void end() {
    if (source != null) {
      source.end();
    }
  }

  /// Returns what others know of whether the input is idle.
  Idleness idleness() {
    return idleness;
  }

  /// Begins with some records.
  ///
  /// @param now the time of day, in milliseconds since 1970 (UTC)
  /// @return what finds those whose event time must be wrong; null for an exchange
  public @Nullable FarAhead begin(long now) {
    if (farAhead != null) {
      farAhead.begin(now);
    }
    return farAhead;
  }

  /// Returns the largest event time of a source's records so far, or where its own watermark
  /// stands; [InputTime#UNKNOWN] for an exchange.
  public long latest() {
    return source == null ? InputTime.UNKNOWN : source.maxTimestamp();
  }

  /// Begins once more with the records of the last [#begin].
  public void again() {
    if (farAhead != null) {
      farAhead.again();
    }
  }

  /// Moves on behind some records that are processed.
  ///
  /// @param latest the largest event time among those of a source that is believed
  /// @param plan of the job
  void advance(RecordBatch batch, int from, int to, long latest, Plan plan) {
    if (exchange != null) {
      hear(exchange, upstreamTasks, batch, from, to, plan);
    } else if (source != null) {
      if (latest != InputTime.UNKNOWN) {
        source.observe(latest);
      }
      idleness.heard();
    }
  }

  private static void hear(
      InputTime.OfExchange time,
      int upstreamTasks,
      RecordBatch batch,
      int from,
      int to,
      Plan plan) {
    for (int i = from; i < to; i++) {
      if (!batch.hasKey(i)) {
        ControlRecord control = ControlRecords.read(batch, i, upstreamTasks, plan);
        time.hear(control.upstreamTask(), control.watermark(), control.idle());
      }
    }
  }
}
