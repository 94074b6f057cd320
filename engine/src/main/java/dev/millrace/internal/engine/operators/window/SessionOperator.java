package dev.millrace.internal.engine.operators.window;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Aggregation;
import dev.millrace.internal.engine.operators.AlignedWindows;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Due;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.Operator;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.RowSink;
import dev.millrace.internal.engine.operators.Snapshot;
import dev.millrace.internal.engine.operators.TimeKey;
import dev.millrace.internal.engine.operators.rows.LateRows;
import dev.millrace.internal.engine.operators.rows.Notes;
import dev.millrace.internal.engine.operators.window.Sessions.Session;
import dev.millrace.spi.job.LateRecords;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Keeps an aggregate a key and session: records of which each comes less than the gap behind the
/// one before. A record that closes the gap between two sessions makes them one. The result of a
/// session is emitted when the watermark reaches its end; see [SessionRows].
///
/// For each session there is a note, by time, that is not behind its end: when it is due and the
/// session has grown, it is put there.
public final class SessionOperator implements Operator {
  private final StoreSpec<Bytes, Boolean> noteSpec;
  private final @Nullable StoreSpec<Bytes, Boolean> goneSpec;
  private final Sessions sessions;
  private final SessionRows sessionRows;
  private final Aggregation aggregation;
  private final Serde<Object> aggregates;
  private final Snapshot snapshot;
  private final LateRows late;
  private final TimeKey timeKey = new TimeKey();
  private @Nullable OperatorContext context;
  private @Nullable Notes due;

  /// Where sessions are kept when they are closed.
  private @Nullable Notes gone;

  private long watermark;

  private SessionOperator(
      StoreSpec<Bytes, Boolean> noteSpec,
      @Nullable StoreSpec<Bytes, Boolean> goneSpec,
      Sessions sessions,
      SessionRows sessionRows,
      Aggregation aggregation,
      Serde<Object> aggregates,
      LateRows late) {
    this.noteSpec = noteSpec;
    this.goneSpec = goneSpec;
    this.sessions = sessions;
    this.sessionRows = sessionRows;
    this.aggregation = aggregation;
    this.aggregates = aggregates;
    this.late = late;
    snapshot = new Snapshot(aggregates);
  }

  /// The operator as a topology carries it, for rows that are not taken back.
  ///
  /// @param aggregation one that merges
  /// @param keys of the rows
  public static Declaration declare(
      String name,
      long gapMillis,
      long latenessMillis,
      Aggregation aggregation,
      Serde<Object> keys,
      Serde<Object> aggregates) {
    Sessions.Spec sessions = Sessions.Spec.of(name, keys, aggregates);
    StoreSpec<Bytes, Boolean> notes = Notes.spec(name + "-times", keys);
    StoreSpec<Bytes, Boolean> gone =
        latenessMillis == 0 ? null : Notes.spec(name + "-closed", keys);
    StoreSpec<Long, LateRecords> late = LateRows.spec(name);
    List<StoreSpec<?, ?>> stores = new ArrayList<>(sessions.all());
    stores.addAll(List.of(notes, late));
    if (gone != null) {
      stores.add(gone);
    }
    SessionRows rows = new SessionRows(gapMillis, latenessMillis, keys);
    return new Declaration(
        () ->
            new SessionOperator(
                notes,
                gone,
                new Sessions(sessions, gapMillis),
                rows,
                aggregation,
                aggregates,
                new LateRows(late)),
        stores,
        Parameters.of("sessions"),
        latenessMillis);
  }

  @Override
  public void open(OperatorContext opened) {
    context = opened;
    late.open(opened);
    sessions.open(opened);
    due = new Notes(opened.store(noteSpec));
    gone = goneSpec == null ? null : new Notes(opened.store(goneSpec));
  }

  @Override
  public void process(RowCursor rows, RowSink out) {
    OperatorContext opened = Opened.store(context);
    watermark = opened.watermark();
    sessions.readAhead(rows);
    while (rows.next()) {
      Bytes key = Opened.key(rows);
      long time = AlignedWindows.requireNear(rows.timestamp());
      List<Session> near = sessions.near(key, time);
      long first = near.isEmpty() ? time : near.getLast().first();
      long earliest = near.isEmpty() ? time : near.getLast().last();
      if (sessionRows.tooLate(key, time, first, earliest, watermark, sessions.ends())) {
        late.tooLate(time, rows, out);
      } else {
        add(key, time, near, rows, out);
      }
    }
  }

  private void add(Bytes key, long time, List<Session> near, RowCursor row, RowSink out) {
    long first = time;
    long last = time;
    Object joined = null;
    boolean open = false;
    boolean corrects = false;
    for (Session session : near.reversed()) {
      if (session.emitted()) {
        Object old = snapshot.of(session.aggregate());
        sessionRows.send(key, session.first(), session.last(), old, true, out);
      }
      // One that is closed and was not emitted was passed over.
      open |= !session.emitted() && !sessionRows.closed(session.last(), watermark);
      corrects |= session.emitted();
      first = Math.min(first, session.first());
      last = Math.max(last, session.last());
      Object own = session.aggregate();
      joined = joined == null ? own : aggregation.merge(joined, snapshot.of(own));
    }
    boolean grows = near.size() == 1 && near.getFirst().first() == first;
    if (!grows) {
      near.forEach(session -> sessions.delete(key, session));
    }
    Object added = aggregation.add(joined, row);
    Object aggregate = joined == null ? snapshot.of(added) : added;
    boolean closed = sessionRows.closed(last, watermark);
    if (closed || corrects) {
      late.corrects(first, row);
    }
    sessions.put(key, new Session(first, last, aggregate, closed));
    if (closed) {
      sessionRows.send(key, first, last, snapshot.of(aggregate), false, out);
      note(Opened.store(gone), key, last);
    } else if (!open) {
      note(Opened.store(due), key, last);
    }
  }

  private void note(Notes notes, Bytes key, long time) {
    notes.put(timeKey.of(time, key));
  }

  @Override
  public boolean advance(long newWatermark, int budget, RowSink out) {
    boolean done =
        Opened.store(due)
            .take(
                sessionRows.lastClosed(newWatermark),
                budget,
                (key, time) -> end(key, time, newWatermark, out));
    done =
        done
            && (gone == null
                || gone.take(
                    sessionRows.lastGone(newWatermark),
                    budget,
                    (key, time) -> forget(key, time, newWatermark)));
    return done && sessions.ends().forget(sessionRows.lastGone(newWatermark), budget);
  }

  private void end(Bytes key, long time, long newWatermark, RowSink out) {
    Session session = sessions.at(key, time);
    if (session == null || session.emitted()) {
      return;
    }
    if (!sessionRows.closed(session.last(), newWatermark)) {
      note(Opened.store(due), key, session.last());
      return;
    }
    boolean begins = out.begins(timeKey.of(session.last(), key).copy());
    if (begins) {
      Object result = snapshot.of(session.aggregate());
      sessionRows.send(key, session.first(), session.last(), result, false, out);
    }
    if (gone == null) {
      makeFinal(key, session, newWatermark);
    } else {
      sessions.put(key, new Session(session.first(), session.last(), session.aggregate(), begins));
      note(gone, key, session.last());
    }
  }

  private void forget(Bytes key, long time, long newWatermark) {
    Session session = sessions.at(key, time);
    if (session != null && sessionRows.gone(session.last(), newWatermark)) {
      makeFinal(key, session, newWatermark);
    }
  }

  private void makeFinal(Bytes key, Session session, long newWatermark) {
    sessions.delete(key, session);
    sessionRows.keepEnd(key, session.last(), newWatermark, sessions.ends());
  }

  @Override
  public Due due(Bytes place) {
    Bytes key = TimeKey.rowKey(place, new Bytes());
    long last = TimeKey.time(place);
    Session found = sessions.at(key, last);
    return found == null
        ? Due.at(place, "result")
        : Due.result(place, key, sessionRows.window(found.first(), last));
  }

  @Override
  public @Nullable Bytes kept(Bytes place) {
    Session found = sessions.at(TimeKey.rowKey(place, new Bytes()), TimeKey.time(place));
    return found == null ? null : Opened.bytes(aggregates, found.aggregate());
  }

  @Override
  public void close() {
    context = null;
    late.close();
    sessions.close();
    due = null;
    gone = null;
  }
}
