package dev.millrace.internal.engine.operators.window;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.WindowFunction;
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
import dev.millrace.internal.engine.operators.TimeKey;
import dev.millrace.internal.engine.operators.rows.LateRows;
import dev.millrace.internal.engine.operators.rows.TimedRows;
import dev.millrace.internal.engine.operators.rows.TimedRows.Found;
import dev.millrace.spi.job.LateRecords;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// [SessionOperator] for results of all values, and for rows that may be taken back: it keeps all
/// of a session's rows. A row that goes may make two sessions of one.
public final class SessionOfRowsOperator implements Operator {
  private final TimedRows rows;
  private final SessionEnds ends;
  private final SessionRows sessionRows;
  private final WindowFunction<Object, Object> function;
  private final LateRows late;
  private @Nullable OperatorContext context;
  private final TimeKey timeKey = new TimeKey();
  private long watermark;

  private SessionOfRowsOperator(
      TimedRows rows,
      SessionEnds ends,
      SessionRows sessionRows,
      WindowFunction<Object, Object> function,
      LateRows late) {
    this.rows = rows;
    this.ends = ends;
    this.sessionRows = sessionRows;
    this.function = function;
    this.late = late;
  }

  /// The operator as a topology carries it.
  ///
  /// @param keys of the rows
  /// @param values of the rows
  public static Declaration declare(
      String name,
      long gapMillis,
      long latenessMillis,
      WindowFunction<Object, Object> function,
      Serde<Object> keys,
      Serde<Object> values) {
    TimedRows.Spec spec = TimedRows.Spec.of(name, keys, values);
    SessionRows sessionRows = new SessionRows(gapMillis, latenessMillis, keys);
    StoreSpec<Long, LateRecords> late = LateRows.spec(name);
    SessionEnds.Spec ends = SessionEnds.Spec.of(name, keys);
    List<StoreSpec<?, ?>> stores = new ArrayList<>(spec.all());
    stores.addAll(ends.all());
    stores.add(late);
    return new Declaration(
        () ->
            new SessionOfRowsOperator(
                new TimedRows(spec),
                new SessionEnds(ends),
                sessionRows,
                function,
                new LateRows(late)),
        stores,
        Parameters.of("sessions of rows"),
        latenessMillis);
  }

  /// Rows of a key, each less than the gap behind the one before.
  private record Session(List<Found> rows) {
    long first() {
      return rows.getFirst().time();
    }

    long last() {
      return rows.getLast().time();
    }
  }

  @Override
  public void open(OperatorContext opened) {
    context = opened;
    late.open(opened);
    ends.open(opened);
    rows.open(opened, sessionRows.lastClosed(opened.watermark()));
  }

  @Override
  public void process(RowCursor cursor, RowSink out) {
    OperatorContext opened = Opened.store(context);
    watermark = opened.watermark();
    while (cursor.next()) {
      Bytes key = Opened.key(cursor);
      long time = AlignedWindows.requireNear(cursor.timestamp());
      if (time >= watermark && !cursor.isRetraction()) {
        change(key, time, cursor); // no session near it is closed
        continue;
      }
      Set<Session> before = around(key, time);
      if (isTooLate(key, time, before)) {
        late.tooLate(time, cursor, out);
      } else {
        change(key, time, cursor);
        correct(key, before, around(key, time), cursor, out);
      }
    }
  }

  private boolean isTooLate(Bytes key, long time, Set<Session> near) {
    Iterator<Session> all = near.iterator();
    Session earliest = all.hasNext() ? all.next() : null;
    long first = earliest == null ? time : earliest.first();
    long last = earliest == null ? time : earliest.last();
    return sessionRows.tooLate(key, time, first, last, watermark, ends);
  }

  private void change(Bytes key, long time, RowCursor row) {
    Object value = Opened.value(row);
    if (row.isRetraction()) {
      rows.remove(key, time, value);
      // What is the last row of a session now may have been looked at already.
      for (Session left : around(key, time)) {
        rows.note(key, left.last(), sessionRows.closed(left.last(), watermark));
      }
    } else {
      rows.add(key, time, value, sessionRows.closed(time, watermark));
    }
  }

  /// The sessions that hold a time or that a row at that time would be a part of.
  private Set<Session> around(Bytes key, long time) {
    Set<Session> sessions = new LinkedHashSet<>();
    long gap = sessionRows.gapMillis();
    for (Found near : rows.find(key, time - gap + 1, time + gap - 1)) {
      if (sessions.stream().noneMatch(known -> known.last() >= near.time())) {
        sessions.add(session(key, near));
      }
    }
    return sessions;
  }

  private Session session(Bytes key, Found member) {
    long gap = sessionRows.gapMillis();
    List<Found> all = new ArrayList<>();
    all.add(member);
    while (true) {
      long first = all.getLast().time();
      List<Found> earlier = rows.find(key, first - gap + 1, first - 1);
      if (earlier.isEmpty()) {
        break;
      }
      all.addAll(earlier.reversed());
    }
    Collections.reverse(all);
    while (true) {
      long last = all.getLast().time();
      List<Found> later = rows.find(key, last + 1, last + gap - 1);
      if (later.isEmpty()) {
        return new Session(all);
      }
      all.addAll(later);
    }
  }

  private void correct(
      Bytes key, Set<Session> before, Set<Session> after, RowCursor row, RowSink out) {
    boolean any = false;
    for (Session session : before) {
      if (sessionRows.closed(session.last(), watermark) && !after.contains(session)) {
        // What was passed over cannot be taken back.
        if (!rows.fired().forget(timeKey.of(session.last(), key))) {
          send(key, session, true, out);
        }
        any = true;
      }
    }
    for (Session session : after) {
      if (sessionRows.closed(session.last(), watermark) && !before.contains(session)) {
        send(key, session, false, out);
        any = true;
      }
    }
    if (any && !after.isEmpty()) {
      late.corrects(after.iterator().next().first(), row);
    }
  }

  private void send(Bytes key, Session session, boolean goes, RowSink out) {
    List<Object> values = new ArrayList<>();
    session.rows.forEach(found -> values.addAll(found.values()));
    Object result =
        Objects.requireNonNull(
            function.apply(
                sessionRows.window(session.first(), session.last()),
                Collections.unmodifiableList(values)),
            "The function returned null; a result is never null.");
    sessionRows.send(key, session.first(), session.last(), result, goes, out);
  }

  @Override
  public boolean advance(long newWatermark, int budget, RowSink out) {
    boolean done =
        rows.settle(
            sessionRows.lastClosed(newWatermark),
            budget,
            (note, key, found) -> {
              if (!isLast(key, found.time())) {
                return;
              }
              if (out.begins(note)) {
                send(key, session(key, found), false, out);
              } else {
                rows.fired().passOver(note);
              }
            });
    long lastGone = sessionRows.lastGone(newWatermark);
    return done
        && rows.forget(
            lastGone,
            budget,
            (key, time) -> {
              if (isLast(key, time)) {
                forget(key, time, newWatermark);
              }
            })
        && ends.forget(lastGone, budget);
  }

  /// The place is that of the last record.
  @Override
  public Due due(Bytes place) {
    Bytes key = TimeKey.rowKey(place, new Bytes());
    long last = TimeKey.time(place);
    Session found = session(key, rows.find(key, last, last).getFirst());
    return Due.result(place, key, sessionRows.window(found.first(), last));
  }

  private boolean isLast(Bytes key, long time) {
    return !rows.any(key, time + 1, time + sessionRows.gapMillis() - 1);
  }

  private void forget(Bytes key, long time, long newWatermark) {
    for (Session session : around(key, time)) {
      if (session.last() == time) {
        sessionRows.keepEnd(key, time, newWatermark, ends);
        session.rows.forEach(found -> rows.delete(key, found.time()));
      }
    }
  }

  @Override
  public void close() {
    context = null;
    late.close();
    rows.close();
    ends.close();
  }
}
