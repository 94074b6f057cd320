package dev.millrace.internal.engine.operators.window;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.internal.engine.operators.Frames;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.ReadAhead;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.Schemas;
import dev.millrace.internal.engine.operators.rows.KeyBytesSerde;
import dev.millrace.internal.engine.operators.rows.KeyTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Sessions of keys: times of which each is less than a gap behind the one before, with what is
/// kept of them.
///
/// The newest session of a key lies under the key, so that the rows that come in order find theirs
/// at once; those before it lie in a store of their own in the order of their starts, newest first,
/// which is read only for rows that come before the newest one began.
public final class Sessions {
  private final Spec spec;
  private final long gapMillis;
  private final SessionEnds ends;
  private final KeyTime keyTime = new KeyTime();
  private @Nullable KeyValueStore<Bytes, Session> newest;
  private @Nullable KeyValueStore<Bytes, Session> older;
  private @Nullable ReadAhead ahead;

  Sessions(Spec spec, long gapMillis) {
    this.spec = spec;
    this.gapMillis = gapMillis;
    ends = new SessionEnds(spec.ends);
  }

  /// The stores they take.
  record Spec(
      StoreSpec<Bytes, Session> newest, StoreSpec<Bytes, Session> older, SessionEnds.Spec ends) {

    public static Spec of(String name, Serde<Object> keys, Serde<Object> aggregates) {
      Format format = new Format(aggregates);
      return new Spec(
          KeyBytesSerde.plain(keys).spec(name, format),
          KeyBytesSerde.beforeTime(keys).spec(name + "-older", format),
          SessionEnds.Spec.of(name, keys));
    }

    public List<StoreSpec<?, ?>> all() {
      List<StoreSpec<?, ?>> all = new ArrayList<>(List.of(newest, older));
      all.addAll(ends.all());
      return all;
    }
  }

  /// @param first the time of its first record
  /// @param last the time of its last record
  /// @param emitted whether its result was, and holds
  /// @param older whether the key may have a session before; told by the newest one only
  public record Session(long first, long last, Object aggregate, boolean emitted, boolean older) {
    Session(long first, long last, Object aggregate, boolean emitted) {
      this(first, last, aggregate, emitted, false);
    }

    private Session withOlder(boolean has) {
      return older == has ? this : new Session(first, last, aggregate, emitted, has);
    }
  }

  void open(OperatorContext context) {
    newest = context.store(spec.newest);
    older = context.store(spec.older);
    ends.open(context);
    ahead = context.readAhead(spec.newest);
  }

  void close() {
    newest = null;
    older = null;
    ends.close();
    ahead = null;
  }

  /// Where those end that are final.
  SessionEnds ends() {
    return ends;
  }

  void readAhead(RowCursor rows) {
    Opened.store(ahead).loadKeysOf(rows);
  }

  /// The sessions that a record at a time belongs to, newest first.
  List<Session> near(Bytes key, long time) {
    Session last = Opened.store(newest).get(key);
    if (last == null) {
      return List.of();
    }
    boolean belongs = time > last.first - gapMillis && time < last.last + gapMillis;
    if (time >= last.first || !last.older) {
      return belongs ? List.of(last) : List.of();
    }
    List<Session> found = new ArrayList<>();
    if (belongs) {
      found.add(last);
    }
    visitOlder(
        key,
        -(time + gapMillis - 1),
        session -> {
          boolean near = session.last + gapMillis > time;
          if (near) {
            found.add(session);
          }
          return near;
        });
    return found;
  }

  /// The session that has records before and behind a time, or at it.
  @Nullable Session at(Bytes key, long time) {
    for (Session found : near(key, time)) {
      if (found.first <= time && time <= found.last) {
        return found;
      }
    }
    return null;
  }

  /// Keeps a session, in the place of the one that begins at the same time.
  void put(Bytes key, Session session) {
    Session last = Opened.store(newest).get(key);
    if (last == null || last.first == session.first) {
      Opened.store(newest).put(key, session.withOlder(last != null && last.older));
    } else if (last.first < session.first) {
      Opened.store(older).put(keyTime.of(key, -last.first), last);
      Opened.store(newest).put(key, session.withOlder(true));
    } else {
      Opened.store(older).put(keyTime.of(key, -session.first), session);
      Opened.store(newest).put(key, last.withOlder(true));
    }
  }

  /// Forgets a session that is there.
  void delete(Bytes key, Session session) {
    Session last = Opened.store(newest).get(key);
    if (last == null || last.first != session.first) {
      Opened.store(older).delete(keyTime.of(key, -session.first));
      return;
    }
    Session next = last.older ? newestOfOlder(key) : null;
    if (next == null) {
      Opened.store(newest).delete(key);
    } else {
      Opened.store(older).delete(keyTime.of(key, -next.first));
      Opened.store(newest).put(key, next.withOlder(true));
    }
  }

  private @Nullable Session newestOfOlder(Bytes key) {
    List<Session> found = new ArrayList<>();
    visitOlder(
        key,
        Long.MIN_VALUE,
        session -> {
          found.add(session);
          return false;
        });
    return found.isEmpty() ? null : found.getFirst();
  }

  @FunctionalInterface
  private interface Visitor {
    /// @return whether to go on
    boolean session(Session session);
  }

  private void visitOlder(Bytes key, long from, Visitor visitor) {
    Opened.store(older)
        .range(
            keyTime.of(key, from).copy(),
            keyTime.of(key, Long.MAX_VALUE).copy(),
            (_, session) -> visitor.session(session));
  }

  /// Sessions in a store.
  public record Format(Serde<Object> aggregates) implements Serde<Session> {
    private static final int EMITTED = 1;
    private static final int OLDER = 2;

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
    public Optional<Serde<Session>> writingAs(String olderSchema) {
      return Schemas.writingAs(
          olderSchema, "session", List.of(aggregates), parts -> new Format(parts.getFirst()));
    }

    @Override
    public void write(Session session, BytesWriter out) {
      out.writeLong(session.first);
      out.writeLong(session.last);
      out.writeByte((session.emitted ? EMITTED : 0) | (session.older ? OLDER : 0));
      aggregates.write(session.aggregate, out);
    }

    @Override
    public Session read(Bytes in) {
      Frames.Reader reader = new Frames.Reader(in);
      long first = reader.readLong();
      long last = reader.readLong();
      byte flags = in.get(reader.position());
      if ((flags & ~(EMITTED | OLDER)) != 0) {
        throw new SerdeException("Found %d where a session has 0 to 3.".formatted(flags));
      }
      int start = reader.position() + 1;
      Bytes rest = new Bytes().set(in.array(), in.offset() + start, in.length() - start);
      Object aggregate = Opened.kept(aggregates.read(rest));
      return new Session(first, last, aggregate, (flags & EMITTED) != 0, (flags & OLDER) != 0);
    }
  }
}
