package dev.millrace.engine.operators;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.LateRecords;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Keeps an aggregate a key and session: records of which each comes less than the gap behind the
/// one before. A record that closes the gap between two sessions makes them one. The result of a
/// session is emitted when the watermark reaches its end; see [SessionRows].
///
/// Sessions of a key lie in the order of their starts, newest first. For each there is a note, by
/// time, that is not behind its end: when it is due and the session has grown, it is put there.
public final class SessionOperator implements Operator {
  private final StoreSpec<Bytes, Session> sessionSpec;
  private final StoreSpec<Bytes, Boolean> noteSpec;
  private final @Nullable StoreSpec<Bytes, Boolean> goneSpec;
  private final SessionRows sessionRows;
  private final Aggregation aggregation;
  private final Serde<Object> aggregates;
  private final Snapshot snapshot;
  private final LateRows late;
  private final KeyTime keyTime = new KeyTime();
  private final TimeKey timeKey = new TimeKey();
  private @Nullable OperatorContext context;
  private @Nullable KeyValueStore<Bytes, Session> sessions;
  private @Nullable Notes due;

  /// Where sessions are kept when they are closed.
  private @Nullable Notes gone;

  private long watermark;

  private SessionOperator(
      StoreSpec<Bytes, Session> sessionSpec,
      StoreSpec<Bytes, Boolean> noteSpec,
      @Nullable StoreSpec<Bytes, Boolean> goneSpec,
      SessionRows sessionRows,
      Aggregation aggregation,
      Serde<Object> aggregates,
      LateRows late) {
    this.sessionSpec = sessionSpec;
    this.noteSpec = noteSpec;
    this.goneSpec = goneSpec;
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
    StoreSpec<Bytes, Session> sessions =
        KeyBytesSerde.beforeTime(keys).spec(name, new Format(aggregates));
    StoreSpec<Bytes, Boolean> notes = Notes.spec(name + "-times", keys);
    StoreSpec<Bytes, Boolean> gone =
        latenessMillis == 0 ? null : Notes.spec(name + "-closed", keys);
    StoreSpec<Long, LateRecords> late = LateRows.spec(name);
    List<StoreSpec<?, ?>> stores = new ArrayList<>(List.of(sessions, notes, late));
    if (gone != null) {
      stores.add(gone);
    }
    SessionRows rows = new SessionRows(gapMillis, latenessMillis, keys);
    return new Declaration(
        () ->
            new SessionOperator(
                sessions, notes, gone, rows, aggregation, aggregates, new LateRows(late)),
        stores,
        latenessMillis);
  }

  /// @param last the time of its last record
  /// @param emitted whether its result was, and holds
  private record Session(long last, Object aggregate, boolean emitted) {}

  /// @param first the time of its first record
  private record Found(long first, Session session) {}

  @Override
  public void open(OperatorContext opened) {
    context = opened;
    late.open(opened);
    sessions = opened.store(sessionSpec);
    due = new Notes(opened.store(noteSpec));
    gone = goneSpec == null ? null : new Notes(opened.store(goneSpec));
  }

  @Override
  public void process(RowCursor rows, RowSink out) {
    OperatorContext opened = Opened.store(context);
    watermark = opened.watermark();
    while (rows.next()) {
      Bytes key = Opened.key(rows);
      long time = AlignedWindows.requireNear(rows.timestamp());
      List<Found> near = find(key, time);
      long last = near.isEmpty() ? time : Math.max(time, near.getFirst().session.last);
      if (sessionRows.gone(last, watermark)) {
        late.tooLate(time, rows, out);
      } else {
        add(key, time, near, rows, out);
      }
    }
  }

  /// The sessions that a record at a time belongs to, newest first.
  private List<Found> find(Bytes key, long time) {
    List<Found> found = new ArrayList<>();
    long gap = sessionRows.gapMillis();
    Opened.store(sessions)
        .range(
            keyTime.of(key, -(time + gap - 1)).copy(),
            keyTime.of(key, Long.MAX_VALUE).copy(),
            (place, session) -> {
              boolean near = session.last + gap > time;
              if (near) {
                found.add(new Found(-KeyTime.time(place), session));
              }
              return near;
            });
    return found;
  }

  private void add(Bytes key, long time, List<Found> near, RowCursor row, RowSink out) {
    long first = time;
    long last = time;
    Object joined = null;
    boolean open = false;
    boolean corrects = false;
    for (Found found : near.reversed()) {
      Session session = found.session;
      if (session.emitted) {
        Object old = snapshot.of(session.aggregate);
        sessionRows.send(key, found.first, session.last, old, true, out);
      }
      // One that is closed and was not emitted was passed over.
      open |= !session.emitted && !sessionRows.closed(session.last, watermark);
      corrects |= session.emitted;
      first = Math.min(first, found.first);
      last = Math.max(last, session.last);
      Object own = session.aggregate;
      joined = joined == null ? own : aggregation.merge(joined, snapshot.of(own));
    }
    boolean grows = near.size() == 1 && near.getFirst().first == first;
    if (!grows) {
      near.forEach(found -> all().delete(keyTime.of(key, -found.first)));
    }
    Object added = aggregation.add(joined, row);
    Object aggregate = joined == null ? snapshot.of(added) : added;
    boolean closed = sessionRows.closed(last, watermark);
    if (closed || corrects) {
      late.corrects(first, row);
    }
    all().put(keyTime.of(key, -first), new Session(last, aggregate, closed));
    if (closed) {
      sessionRows.send(key, first, last, snapshot.of(aggregate), false, out);
      note(Opened.store(gone), key, last);
    } else if (!open) {
      note(Opened.store(due), key, last);
    }
  }

  private KeyValueStore<Bytes, Session> all() {
    return Opened.store(sessions);
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
    return done
        && (gone == null
            || gone.take(
                sessionRows.lastGone(newWatermark),
                budget,
                (key, time) -> forget(key, time, newWatermark)));
  }

  /// The session that has records before and behind a time, or at it.
  private @Nullable Found at(Bytes key, long time) {
    for (Found found : find(key, time)) {
      if (found.first <= time && time <= found.session.last) {
        return found;
      }
    }
    return null;
  }

  private void end(Bytes key, long time, long newWatermark, RowSink out) {
    Found found = at(key, time);
    if (found == null || found.session.emitted) {
      return;
    }
    Session session = found.session;
    if (!sessionRows.closed(session.last, newWatermark)) {
      note(Opened.store(due), key, session.last);
      return;
    }
    boolean begins = out.begins(timeKey.of(session.last, key).copy());
    if (begins) {
      Object result = snapshot.of(session.aggregate);
      sessionRows.send(key, found.first, session.last, result, false, out);
    }
    Bytes place = keyTime.of(key, -found.first);
    if (gone == null) {
      all().delete(place);
    } else {
      all().put(place, new Session(session.last, session.aggregate, begins));
      note(gone, key, session.last);
    }
  }

  private void forget(Bytes key, long time, long newWatermark) {
    Found found = at(key, time);
    if (found != null && sessionRows.gone(found.session.last, newWatermark)) {
      all().delete(keyTime.of(key, -found.first));
    }
  }

  @Override
  public Due due(Bytes place) {
    Bytes key = TimeKey.rowKey(place, new Bytes());
    long last = TimeKey.time(place);
    Found found = at(key, last);
    return found == null
        ? Due.at(place, "result")
        : Due.result(place, key, sessionRows.window(found.first, last));
  }

  @Override
  public @Nullable Bytes kept(Bytes place) {
    Found found = at(TimeKey.rowKey(place, new Bytes()), TimeKey.time(place));
    return found == null ? null : Opened.bytes(aggregates, found.session.aggregate);
  }

  @Override
  public void close() {
    context = null;
    late.close();
    sessions = null;
    due = null;
    gone = null;
  }

  /// Sessions in the store.
  private record Format(Serde<Object> aggregates) implements Serde<Session> {
    @Override
    public String id() {
      return "session(" + aggregates.id() + ")";
    }

    @Override
    public String schema() {
      return Schemas.compose("session", aggregates);
    }

    @Override
    public boolean canRead(String writtenSchema) {
      return Schemas.canRead(writtenSchema, "session", aggregates);
    }

    @Override
    public void write(Session session, BytesWriter out) {
      out.writeLong(session.last);
      out.writeByte(session.emitted ? 1 : 0);
      aggregates.write(session.aggregate, out);
    }

    @Override
    public Session read(Bytes in) {
      Frames.Reader reader = new Frames.Reader(in);
      long last = reader.readLong();
      byte emitted = in.get(reader.position());
      if (emitted < 0 || emitted > 1) {
        throw new SerdeException("Found " + emitted + " where a session has 0 or 1.");
      }
      int start = reader.position() + 1;
      Bytes rest = new Bytes().set(in.array(), in.offset() + start, in.length() - start);
      Object aggregate = aggregates.read(rest);
      return new Session(last, Opened.kept(aggregate), emitted == 1);
    }
  }
}
