package dev.millrace.internal.engine.operators.rows;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.internal.engine.operators.Due;
import dev.millrace.internal.engine.operators.TimeKey;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Timers of one kind, kept as entries of a store whose keys are the time and the key's bytes:
/// setting one twice is setting it once. They fire in the order of time, then of the key's bytes.
///
/// Both kinds share a store: those by the clock lie before all others in it, under times that no
/// event has.
public final class Timers {
  private static final int READ_AT_ONCE = 64;

  /// Event time begins here in the store.
  private static final long FIRST_EVENT = Long.MIN_VALUE / 2;

  /// When they fire.
  public enum Kind {
    EVENT_TIME(0, FIRST_EVENT, Long.MAX_VALUE),
    CLOCK(Long.MIN_VALUE, 0, FIRST_EVENT - Long.MIN_VALUE - 1);

    /// What is added to a time in the store.
    private final long offset;

    private final long first;
    private final long last;

    Kind(long offset, long first, long last) {
      this.offset = offset;
      this.first = first;
      this.last = last;
    }
  }

  private final KeyValueStore<Bytes, Boolean> store;
  private final DueEntries<Boolean> due;
  private final @Nullable Serde<Object> keySerde;
  private final Kind kind;
  private final TimeKey timeKey = new TimeKey();
  private final BytesWriter keyWriter = new BytesWriter(64);
  private final Bytes keyView = new Bytes();

  /// What is about to fire, in order; changed by timers that are set or cancelled meanwhile.
  private final ArrayDeque<Bytes> next = new ArrayDeque<>();

  /// @param keySerde null if keys are bytes
  public Timers(KeyValueStore<Bytes, Boolean> store, @Nullable Serde<Object> keySerde, Kind kind) {
    this.store = store;
    this.keySerde = keySerde;
    this.kind = kind;
    due = new DueEntries<>(store);
    due.startAt(timeKey.of(kind.first + kind.offset, null));
  }

  /// Gets the timers that fire.
  public interface Callback {
    /// A timer fires; it is no longer set.
    ///
    /// @param keyBytes those of `key`
    void fire(Bytes keyBytes, Object key, long timestamp);

    /// Whether one is to fire; if not, it is passed over.
    ///
    /// @param timer its time and key; see [TimeKey]
    boolean begins(Bytes timer);
  }

  /// Describes a timer of either kind by its entry.
  public static Due due(Bytes entry) {
    long time = TimeKey.time(entry);
    boolean byClock = time < FIRST_EVENT;
    return new Due(
        entry,
        byClock ? "timer by the clock" : "timer",
        TimeKey.rowKey(entry, new Bytes()),
        byClock ? time - Kind.CLOCK.offset : time,
        null);
  }

  public void set(@Nullable Object key, long time) {
    Bytes entry = entry(key, time);
    store.put(entry, true);
    due.added(entry);
    if (!next.isEmpty() && entry.compareTo(next.getLast()) < 0) {
      due.added(next.getFirst());
      next.clear();
    }
  }

  public void cancel(@Nullable Object key, long time) {
    Bytes entry = entry(key, time);
    store.delete(entry);
    next.remove(entry);
  }

  /// Fires what is due, also what its callbacks set that is due.
  ///
  /// @param now what time has come to
  ///
  /// @return whether everything due has fired
  public boolean fire(long now, int budget, Callback callback) {
    long latest = Math.min(now, kind.last) + kind.offset;
    int left = budget;
    while (left > 0) {
      readNext(latest, Math.min(left, READ_AT_ONCE));
      if (next.isEmpty()) {
        return true;
      }
      while (!next.isEmpty()) {
        Bytes entry = next.removeFirst();
        boolean begins = callback.begins(entry);
        store.delete(entry);
        left--;
        if (!begins) {
          continue;
        }
        Bytes keyBytes = TimeKey.rowKey(entry, new Bytes());
        Object key = keySerde == null ? keyBytes : keySerde.read(keyBytes);
        callback.fire(keyBytes, key, TimeKey.time(entry) - kind.offset);
      }
    }
    return due.walk(latest, (_, _) -> false);
  }

  /// The time before which none fires; `Long.MAX_VALUE` if none is set.
  public long earliest() {
    long first = due.earliest();
    return first == Long.MAX_VALUE || first > kind.last + kind.offset
        ? Long.MAX_VALUE
        : first - kind.offset;
  }

  private void readNext(long latest, int atMost) {
    due.walk(
        latest,
        (entry, _) -> {
          boolean room = next.size() < atMost;
          if (room) {
            next.addLast(entry.copy());
          }
          return room;
        });
  }

  private Bytes entry(@Nullable Object key, long time) {
    if (time < kind.first || time > kind.last) {
      throw new IllegalArgumentException(
          "A timer is set for %d, which is not a valid time. Give milliseconds since 1970 (UTC)."
              .formatted(time));
    }
    return timeKey.of(time + kind.offset, bytes(key));
  }

  private Bytes bytes(@Nullable Object key) {
    if (key == null) {
      throw new IllegalArgumentException("A timer needs a key, but the record has none.");
    }
    if (keySerde == null) {
      return (Bytes) key;
    }
    keyWriter.clear();
    keySerde.write(key, keyWriter);
    return keyWriter.view(keyView, 0);
  }

  /// That a timer is set: one byte, since a value is never empty in a changelog.
  public static final class Mark implements Serde<Boolean> {
    @Override
    public String id() {
      return "timer";
    }

    @Override
    public void write(Boolean set, BytesWriter out) {
      out.writeByte(1);
    }

    @Override
    public Boolean read(Bytes in) {
      if (in.length() != 1 || in.get(0) != 1) {
        throw new SerdeException("Found " + in + " where a timer has 01.");
      }
      return true;
    }
  }
}
