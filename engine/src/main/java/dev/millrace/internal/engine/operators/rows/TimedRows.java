package dev.millrace.internal.engine.operators.rows;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Due;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.TimeKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Rows that are kept by key and event time: those of one side of a join. The values of a key and
/// time lie in one entry; beside it, by time, is a note that they are there.
///
/// Event time first settles rows, in order of time and key, when nothing before them is expected
/// any more; then it lets go of them, when nobody may ask for them.
public final class TimedRows {
  private final Spec spec;
  private final KeyTime keyTime = new KeyTime();
  private final TimeKey timeKey = new TimeKey();
  private @Nullable KeyValueStore<Bytes, Bag> rows;
  private @Nullable KeyValueStore<Bytes, Boolean> notes;
  private @Nullable DueEntries<Boolean> unsettled;
  private @Nullable DueEntries<Boolean> kept;
  private @Nullable Fired fired;

  public TimedRows(Spec spec) {
    this.spec = spec;
  }

  /// The stores they take.
  ///
  /// @param values of the rows
  public record Spec(
      StoreSpec<Bytes, Bag> rows,
      StoreSpec<Bytes, Boolean> notes,
      StoreSpec<Bytes, Bytes> fired,
      Serde<Object> values) {

    public static Spec of(String name, Serde<Object> keys, Serde<Object> values) {
      return new Spec(
          KeyBytesSerde.beforeTime(keys).spec(name, new Bag.Format(values)),
          Notes.spec(name + "-times", keys),
          Fired.spec(name, KeyBytesSerde.afterTime(keys)),
          values);
    }

    public List<StoreSpec<?, ?>> all() {
      return List.of(rows, notes, fired);
    }
  }

  /// Values of one time.
  public record Found(long time, List<Object> values) {}

  /// Is shown rows that are settled.
  @FunctionalInterface
  public interface Settled {
    /// @param note the time and the key; see [TimeKey]
    void rows(Bytes note, Bytes key, Found found);
  }

  /// @param settled the last time whose rows were settled
  public void open(OperatorContext context, long settled) {
    rows = context.store(spec.rows);
    notes = context.store(spec.notes);
    unsettled = new DueEntries<>(notes);
    kept = new DueEntries<>(notes);
    fired = new Fired(context.store(spec.fired));
    fired.restore(unsettled, settled);
  }

  public void close() {
    rows = null;
    notes = null;
    unsettled = null;
    kept = null;
    fired = null;
  }

  /// Adds a row.
  ///
  /// @param settled whether those of its time are settled already
  public void add(Bytes key, long time, Object value, boolean settled) {
    Bytes place = keyTime.of(key, time);
    Bag before = Opened.store(rows).get(place);
    Opened.store(rows).put(place, Bag.with(before, spec.values, value));
    if (before == null) {
      note(key, time, settled);
    }
  }

  /// Notes that a key has rows at a time; needed only behind [#forget] of that time.
  public void note(Bytes key, long time, boolean settled) {
    Bytes note = timeKey.of(time, key);
    Opened.store(notes).put(note, true);
    Opened.store(kept).added(note);
    if (!settled) {
      Opened.store(unsettled).added(note);
    }
  }

  /// Takes a row out that was added before.
  ///
  /// @throws IllegalStateException if it is not there
  public void remove(Bytes key, long time, Object value) {
    Bytes place = keyTime.of(key, time);
    Bag before = Opened.store(rows).get(place);
    Bag rest = before == null ? null : before.without(spec.values, value);
    if (rest == null) {
      throw Panes.nothingToTakeBack();
    }
    if (rest.isEmpty()) {
      Opened.store(rows).delete(place);
    } else {
      Opened.store(rows).put(place, rest);
    }
  }

  /// The rows of a key with times from `from` to `to`, in order of time.
  public List<Found> find(Bytes key, long from, long to) {
    return Objects.requireNonNull(find(key, from, to, Integer.MAX_VALUE));
  }

  /// The same, but null if they are more than some.
  public @Nullable List<Found> find(Bytes key, long from, long to, int most) {
    List<Found> found = new ArrayList<>();
    int[] left = {most};
    range(
        key,
        from,
        to,
        (place, bag) -> {
          List<Object> values = bag.values(spec.values);
          left[0] -= values.size();
          found.add(new Found(KeyTime.time(place), values));
          return left[0] >= 0;
        });
    return left[0] < 0 ? null : found;
  }

  /// Whether a key has rows with times from `from` to `to`.
  public boolean any(Bytes key, long from, long to) {
    boolean[] any = {false};
    range(
        key,
        from,
        to,
        (_, _) -> {
          any[0] = true;
          return false;
        });
    return any[0];
  }

  private void range(Bytes key, long from, long to, KeyValueStore.Visitor<Bytes, Bag> visitor) {
    if (from > to) {
      return;
    }
    Bytes first = keyTime.of(key, from).copy();
    Bytes behind = keyTime.of(key, to + 1).copy();
    Opened.store(rows).range(first, behind, visitor);
  }

  /// Shows rows up to a time, each once.
  ///
  /// @return whether all were shown before. What is shown now has to stay until all behind the
  ///   operator has taken it, since a failure there asks for it
  public boolean settle(long latest, int budget, Settled visitor) {
    @Nullable Bytes[] last = {null};
    boolean done =
        Opened.store(unsettled)
            .take(
                latest,
                budget,
                note -> {
                  last[0] = note;
                  long time = TimeKey.time(note);
                  Bytes key = TimeKey.rowKey(note, new Bytes());
                  Bag bag = Opened.store(rows).get(keyTime.of(key, time));
                  if (bag != null) {
                    visitor.rows(note, key, new Found(time, bag.values(spec.values)));
                  }
                });
    Bytes settled = last[0];
    if (settled != null) {
      Opened.store(fired).upTo(settled);
    }
    return done && settled == null;
  }

  /// What was passed over when it was settled.
  public Fired fired() {
    return Opened.store(fired);
  }

  /// What tells a row from others.
  public Bytes id(int side, Bytes key, long time, Object value) {
    return RowPlaces.id(side, timeKey.of(time, key), spec.values, value);
  }

  /// Describes one of the rows that are about to be settled.
  public Due due(Bytes place) {
    Bytes note = RowPlaces.timeKey(place);
    Bytes id = RowPlaces.id(RowPlaces.side(place), note, spec.values, at(place));
    return RowPlaces.due(id, note);
  }

  /// The bytes of one of the rows that are about to be settled.
  public Bytes kept(Bytes place) {
    return Opened.bytes(spec.values, at(place));
  }

  private Object at(Bytes place) {
    Bytes note = RowPlaces.timeKey(place);
    Bytes key = TimeKey.rowKey(note, new Bytes());
    long time = TimeKey.time(note);
    return find(key, time, time).getFirst().values().get(RowPlaces.index(place));
  }

  /// Lets go of rows up to a time.
  ///
  /// @return whether all are gone
  public boolean forget(long latest, int budget) {
    return forget(latest, budget, this::delete);
  }

  /// Has something else decide what becomes of the rows of a key and time.
  public boolean forget(long latest, int budget, Notes.Visitor visitor) {
    return Opened.store(kept)
        .take(
            latest,
            budget,
            note -> {
              visitor.note(TimeKey.rowKey(note, new Bytes()), TimeKey.time(note));
              Opened.store(notes).delete(note);
            });
  }

  /// Lets go of the rows of a key and time.
  public void delete(Bytes key, long time) {
    Opened.store(rows).delete(keyTime.of(key, time));
    Opened.store(fired).forgetRows(timeKey.of(time, key));
  }
}
