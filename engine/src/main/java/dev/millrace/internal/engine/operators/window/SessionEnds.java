package dev.millrace.internal.engine.operators.window;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.api.serde.TypeRef;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.TimeKey;
import dev.millrace.internal.engine.operators.rows.KeyBytesSerde;
import dev.millrace.internal.engine.operators.rows.Notes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Where the last session of a key ends of those that are final: a row before that would overlap
/// it, and is too late.
///
/// All other sessions of the key come behind it, since those that end first become final first. So
/// one time is enough for a key, and it is kept until a row from before it is too late anyhow. That
/// is so because a row that is so late may lie in a session that is not final, but may not make it
/// begin earlier: else one late row after the other could reach back to any time.
final class SessionEnds {
  private final Spec spec;
  private final TimeKey timeKey = new TimeKey();
  private @Nullable KeyValueStore<Bytes, Long> ends;
  private @Nullable Notes notes;

  SessionEnds(Spec spec) {
    this.spec = spec;
  }

  /// The stores they take.
  record Spec(StoreSpec<Bytes, Long> ends, StoreSpec<Bytes, Boolean> notes) {
    private static final Serde<Long> TIMES = Serdes.forType(new TypeRef<Long>() {});

    public static Spec of(String name, Serde<Object> keys) {
      return new Spec(
          KeyBytesSerde.plain(keys).spec(name + "-ends", TIMES),
          Notes.spec(name + "-ends-times", keys));
    }

    public List<StoreSpec<?, ?>> all() {
      return List.of(ends, notes);
    }
  }

  void open(OperatorContext context) {
    ends = context.store(spec.ends);
    notes = new Notes(context.store(spec.notes));
  }

  void close() {
    ends = null;
    notes = null;
  }

  /// Whether a session of the key that is final ends behind a time.
  boolean reachBehind(Bytes key, long time) {
    Long end = Opened.store(ends).get(key);
    return end != null && time < end;
  }

  /// A session of the key is final, and was the first of those that were not.
  void add(Bytes key, long end) {
    Opened.store(ends).put(key, end);
    Opened.store(notes).put(timeKey.of(end, key));
  }

  /// Forgets ends up to a time.
  ///
  /// @return whether all are gone
  boolean forget(long latest, int budget) {
    return Opened.store(notes)
        .take(
            latest,
            budget,
            (key, time) -> {
              Long end = Opened.store(ends).get(key);
              if (end != null && end == time) {
                Opened.store(ends).delete(key);
              }
            });
  }
}
