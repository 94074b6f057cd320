package dev.millrace.internal.engine.operators.join;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.AlignedWindows;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Due;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.Operator;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.RowSink;
import dev.millrace.internal.engine.operators.rows.JoinFunction;
import dev.millrace.internal.engine.operators.rows.RowPlaces;
import dev.millrace.internal.engine.operators.rows.TimedRows;
import dev.millrace.internal.engine.operators.rows.TimedRows.Found;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Joins rows of two streams that have equal keys and are near in time: a right row goes with a
/// left one if it is at most `beforeMillis` earlier and `afterMillis` later. Each pair is emitted
/// as soon as both rows are there, at the later of their times; and taken back when one of them is.
///
/// Where a side is kept without a partner, that is emitted when the watermark says that none comes
/// any more, at the last time one could have had; a late partner takes it back. A row is kept until
/// no partner can come, late ones included.
public final class IntervalJoinOperator implements Operator {
  private final Interval interval;
  private final JoinFunction joiner;
  private final List<TimedRows> sides;
  private @Nullable OperatorContext context;
  private long watermark;

  /// Which rows are partners, and for how long late ones may come.
  ///
  /// @param beforeMillis by how much the right one may be earlier
  /// @param afterMillis by how much it may be later
  /// @param keepsLeft whether a left row without a partner has a result
  /// @param keepsRight the same of a right one
  public record Interval(
      long beforeMillis,
      long afterMillis,
      long latenessMillis,
      boolean keepsLeft,
      boolean keepsRight) {

    /// The first time of partners of a row.
    long from(int side, long time) {
      return time - (side == 0 ? beforeMillis : afterMillis);
    }

    /// The last time of partners of a row.
    long to(int side, long time) {
      return time + (side == 0 ? afterMillis : beforeMillis);
    }

    /// The event time of a row without a partner: when the last one could have come, so that it is
    /// not late for what stands behind the join.
    long alone(int side, long time) {
      return Math.max(time, to(side, time));
    }

    boolean keeps(int side) {
      return side == 0 ? keepsLeft : keepsRight;
    }

    /// The last time whose rows get no more partners, but for late ones.
    long settled(int side, long watermark) {
      return behind(watermark, Math.max(0, to(side, 0)));
    }

    /// The last time whose rows nobody asks for any more: they get no more partners, and those that
    /// could be theirs are settled.
    long gone(long watermark) {
      return behind(watermark, Math.max(0, to(0, 0)) + Math.max(0, to(1, 0)) + latenessMillis);
    }

    /// The last time whose rows are too late.
    long tooLate(long watermark) {
      return behind(watermark, latenessMillis);
    }

    private static long behind(long watermark, long millis) {
      return watermark < Long.MIN_VALUE + millis + 1 ? Long.MIN_VALUE : watermark - millis - 1;
    }
  }

  private IntervalJoinOperator(Interval interval, JoinFunction joiner, List<TimedRows> sides) {
    this.interval = interval;
    this.joiner = joiner;
    this.sides = sides;
  }

  /// The operator as a topology carries it.
  ///
  /// @param correctedMillis for how long, in event time, rows of either side may be retracted
  /// @param keys of the rows
  /// @param values of the rows of both sides
  /// @param joiner gets the value of each side, or null
  public static Declaration declare(
      String name,
      Interval interval,
      long correctedMillis,
      Serde<Object> keys,
      List<Serde<Object>> values,
      JoinFunction joiner) {
    TimedRows.Spec left = TimedRows.Spec.of(name + "-1", keys, values.get(0));
    TimedRows.Spec right = TimedRows.Spec.of(name + "-2", keys, values.get(1));
    List<StoreSpec<?, ?>> stores = new ArrayList<>(left.all());
    stores.addAll(right.all());
    return new Declaration(
        () ->
            new IntervalJoinOperator(
                interval, joiner, List.of(new TimedRows(left), new TimedRows(right))),
        stores,
        Parameters.of("interval join")
            .withMillis("before", interval.beforeMillis)
            .withMillis("after", interval.afterMillis)
            .withMillis("lateness", interval.latenessMillis)
            .with("keeps left ones alone", interval.keepsLeft)
            .with("keeps right ones alone", interval.keepsRight),
        // A pair is retracted only with a row of it.
        interval.keeps(0) || interval.keeps(1)
            ? Math.max(interval.latenessMillis(), correctedMillis)
            : correctedMillis);
  }

  @Override
  public void open(OperatorContext opened) {
    context = opened;
    for (int side = 0; side < 2; side++) {
      sides.get(side).open(opened, interval.settled(side, opened.watermark()));
    }
  }

  @Override
  public void process(RowCursor rows, RowSink out) {
    throw new IllegalStateException("A join has several inputs.");
  }

  @Override
  public void process(int side, RowCursor rows, RowSink out) {
    OperatorContext opened = Opened.store(context);
    watermark = opened.watermark();
    long tooLate = interval.tooLate(watermark);
    long settled = interval.settled(side, watermark);
    while (rows.next()) {
      Bytes key = Opened.key(rows);
      long time = AlignedWindows.requireNear(rows.timestamp());
      if (time <= tooLate) {
        opened.late(rows);
        continue;
      }
      Object value = Opened.value(rows);
      if (rows.isRetraction()) {
        sides.get(side).remove(key, time, value);
      } else {
        sides.get(side).add(key, time, value, time <= settled);
      }
      pair(side, key, new Found(time, List.of(value)), rows.isRetraction(), out);
    }
  }

  /// Emits what a row that came gives with its partners, or takes back what one that goes gave.
  private void pair(int side, Bytes key, Found row, boolean goes, RowSink out) {
    Object value = row.values().getFirst();
    long time = row.time();
    int other = 1 - side;
    List<Found> partners =
        sides.get(other).find(key, interval.from(side, time), interval.to(side, time));
    for (Found partner : partners) {
      boolean alone = isOnlyPartner(side, key, partner.time(), goes);
      for (Object each : partner.values()) {
        boolean wasEmitted = goes || !alone || !forgetPassedOver(other, key, partner.time(), each);
        Object withoutPartner = alone && wasEmitted ? result(other, each, null) : null;
        if (withoutPartner != null && !goes) {
          out.retract(key, withoutPartner, interval.alone(other, partner.time()));
        }
        send(key, result(side, value, each), Math.max(time, partner.time()), goes, out);
        if (withoutPartner != null && goes) {
          out.emit(key, withoutPartner, interval.alone(other, partner.time()));
        }
      }
    }
    boolean settled = time <= interval.settled(side, watermark);
    if (partners.isEmpty()
        && settled
        && interval.keeps(side)
        && !(goes && forgetPassedOver(side, key, time, value))) {
      send(key, result(side, value, null), interval.alone(side, time), goes, out);
    }
  }

  /// @return whether a row without a partner was passed over, so that nothing can be taken back
  private boolean forgetPassedOver(int side, Bytes key, long time, Object value) {
    TimedRows rows = sides.get(side);
    return rows.fired().any() && rows.fired().forget(rows.id(side, key, time, value));
  }

  /// Whether a partner has a result of its own but for the row that comes or goes.
  private boolean isOnlyPartner(int side, Bytes key, long partnerTime, boolean goes) {
    int other = 1 - side;
    if (!interval.keeps(other) || partnerTime > interval.settled(other, watermark)) {
      return false;
    }
    long from = interval.from(other, partnerTime);
    long to = interval.to(other, partnerTime);
    int count = 0;
    for (Found found : sides.get(side).find(key, from, to)) {
      count += found.values().size();
    }
    return count == (goes ? 0 : 1);
  }

  private static void send(
      Bytes key, @Nullable Object result, long time, boolean goes, RowSink out) {
    if (result == null) {
      return;
    }
    if (goes) {
      out.retract(key, result, time);
    } else {
      out.emit(key, result, time);
    }
  }

  /// What the application's function makes of a row and its partner; null if nothing.
  private @Nullable Object result(int side, Object value, @Nullable Object partner) {
    Object left = side == 0 ? value : partner;
    Object right = side == 0 ? partner : value;
    return joiner.join(left, right);
  }

  @Override
  public boolean advance(long newWatermark, int budget, RowSink out) {
    boolean done = true;
    for (int i = 0; i < 2; i++) {
      int side = i;
      if (interval.keeps(side)) {
        done &=
            sides
                .get(side)
                .settle(
                    interval.settled(side, newWatermark),
                    budget,
                    (note, key, found) -> settle(side, note, key, found, out));
      }
    }
    for (TimedRows side : sides) {
      done = done && side.forget(interval.gone(newWatermark), budget);
    }
    return done;
  }

  private void settle(int side, Bytes note, Bytes key, Found found, RowSink out) {
    long from = interval.from(side, found.time());
    long to = interval.to(side, found.time());
    if (sides.get(1 - side).any(key, from, to)) {
      return;
    }
    for (int i = 0; i < found.values().size(); i++) {
      Object value = found.values().get(i);
      if (out.begins(RowPlaces.of(side, i, note))) {
        send(key, result(side, value, null), interval.alone(side, found.time()), false, out);
      } else {
        TimedRows rows = sides.get(side);
        rows.fired().passOverRow(rows.id(side, key, found.time(), value));
      }
    }
  }

  @Override
  public Due due(Bytes place) {
    return sides.get(RowPlaces.side(place)).due(place);
  }

  @Override
  public Bytes kept(Bytes place) {
    return sides.get(RowPlaces.side(place)).kept(place);
  }

  @Override
  public void close() {
    context = null;
    sides.forEach(TimedRows::close);
  }
}
