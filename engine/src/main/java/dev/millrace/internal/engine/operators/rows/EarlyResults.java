package dev.millrace.internal.engine.operators.rows;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.Windows;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.internal.engine.operators.Frames;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.RowSink;
import dev.millrace.internal.engine.operators.Schemas;
import dev.millrace.internal.engine.operators.TimeKey;
import dev.millrace.internal.engine.operators.WindowRows;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Results of windows that are still open: emitted after so many rows, or when event time has moved
/// on by so much since a pane changed; each takes the place of the one before.
///
/// What was emitted of a pane is kept until its window closes.
public final class EarlyResults {
  /// No time of a window begins with it; see [TimeKey].
  private static final byte EARLY = 1;

  private final Spec spec;
  private final WindowRows windowRows;
  private final Changes.Results results;
  private final Set<Bytes> reached = new LinkedHashSet<>();
  private final TimeKey timeKey = new TimeKey();
  private @Nullable KeyValueStore<Bytes, Emitted> emitted;
  private @Nullable Notes notes;

  public EarlyResults(Spec spec, WindowRows windowRows, Changes.Results results) {
    this.spec = spec;
    this.windowRows = windowRows;
    this.results = results;
  }

  /// When they are emitted, and their stores.
  ///
  /// @param everyMillis of event time; 0 for not by time
  /// @param everyRows of a pane; 0 for not by number
  public record Spec(
      long everyMillis,
      long everyRows,
      StoreSpec<Bytes, Emitted> emitted,
      StoreSpec<Bytes, Boolean> notes) {

    /// @param keys of the rows
    /// @param results of the panes
    public static Spec of(
        String name, Windows.Timing timing, Serde<Object> keys, Serde<Object> results) {
      return new Spec(
          timing.earlyEvery().toMillis(),
          timing.earlyRecords(),
          KeyBytesSerde.afterTime(keys).spec(name + "-early", new Format(results)),
          new KeyBytesSerde("time+time+", keys).spec(name + "-early-times", new Timers.Mark()));
    }

    public List<StoreSpec<?, ?>> stores() {
      return List.of(emitted, notes);
    }
  }

  /// What is known of an open pane.
  ///
  /// @param rows that came since the last result
  /// @param noted whether there is a time at which the next one comes
  /// @param result that was emitted; null if none holds
  public record Emitted(long rows, boolean noted, @Nullable Object result) {}

  public void open(OperatorContext context) {
    emitted = context.store(spec.emitted);
    notes = new Notes(context.store(spec.notes));
  }

  public void close() {
    emitted = null;
    notes = null;
    reached.clear();
  }

  private KeyValueStore<Bytes, Emitted> emitted() {
    return Opened.store(emitted);
  }

  /// A row came for a pane of an open window, or went.
  ///
  /// @param left whether the pane is still there
  public void changed(Bytes pane, boolean left, long rowTime, long watermark) {
    Emitted before = emitted().get(pane);
    Emitted known = before == null ? new Emitted(0, false, null) : before;
    if (!left) {
      if (known.result != null) {
        reached.add(pane.copy());
      } else if (before != null && !known.noted) {
        emitted().delete(pane);
      }
      return;
    }
    long rows = known.rows + 1;
    if (spec.everyRows > 0 && rows >= spec.everyRows) {
      reached.add(pane.copy());
    }
    if (spec.everyMillis > 0 && !known.noted) {
      long from = watermark == Long.MIN_VALUE ? rowTime : watermark;
      long next = from - Math.floorMod(from, spec.everyMillis) + spec.everyMillis;
      Opened.store(notes).put(timeKey.of(next, pane));
    }
    emitted().put(pane, new Emitted(rows, spec.everyMillis > 0, known.result));
  }

  /// All rows of a batch are processed.
  public void emitReached(RowSink out) {
    if (!reached.isEmpty()) {
      reached.forEach(pane -> emit(pane, false, out));
      reached.clear();
    }
  }

  /// Event time moves on.
  ///
  /// @return whether all that is due was emitted
  public boolean advance(long watermark, int budget, RowSink out) {
    return Opened.store(notes)
        .take(
            watermark,
            budget,
            (pane, time) -> {
              if (windowRows.places().closed(pane, watermark)) {
                emitted().delete(pane);
              } else if (out.begins(place(pane, time))) {
                emit(pane.copy(), true, out);
              } else {
                passOver(pane.copy());
              }
            });
  }

  /// The place of an early result, which no pane has.
  private static Bytes place(Bytes pane, long time) {
    BytesWriter out = new BytesWriter(64);
    out.writeByte(EARLY);
    out.writeLong(time);
    out.write(pane);
    return Bytes.of(out.toByteArray());
  }

  /// The pane whose result stands at a place: an early one, or the one at its end.
  public static Bytes pane(Bytes place) {
    int head = 1 + Long.BYTES;
    return place.get(0) == EARLY
        ? new Bytes().set(place.array(), place.offset() + head, place.length() - head)
        : place;
  }

  /// What was emitted before goes on to hold.
  private void passOver(Bytes pane) {
    Emitted known = emitted().get(pane);
    if (known != null) {
      emitted().put(pane, new Emitted(known.rows, false, known.result));
    }
  }

  /// @param byTime whether the pane's note was taken
  private void emit(Bytes pane, boolean byTime, RowSink out) {
    Emitted known = emitted().get(pane);
    if (known == null) {
      return; // closed in the meantime
    }
    Object result = results.of(pane);
    windowRows.replace(pane, known.result, result, out);
    boolean noted = known.noted && !byTime;
    if (result == null && !noted) {
      emitted().delete(pane);
    } else {
      emitted().put(pane, new Emitted(0, noted, result));
    }
  }

  /// A pane's window closes.
  ///
  /// @param result null if it was passed over; then none holds
  public void close(Bytes pane, @Nullable Object result, RowSink out) {
    Emitted known = emitted().get(pane);
    windowRows.replace(pane, known == null ? null : known.result, result, out);
    if (known != null) {
      emitted().delete(pane);
    }
  }

  /// How it is kept: the number of rows, whether there is a note, and the result if there is one.
  private record Format(Serde<Object> results) implements Serde<Emitted> {
    private static final int NOTED = 1;
    private static final int RESULT = 2;

    @Override
    public String id() {
      return "early(" + results.id() + ")";
    }

    @Override
    public String schema() {
      return Schemas.compose("early", results);
    }

    @Override
    public boolean canRead(String writtenSchema) {
      return Schemas.canRead(writtenSchema, "early", results);
    }

    @Override
    public Optional<Serde<Emitted>> writingAs(String olderSchema) {
      return Schemas.writingAs(
          olderSchema, "early", List.of(results), parts -> new Format(parts.getFirst()));
    }

    @Override
    public void write(Emitted value, BytesWriter out) {
      out.writeLong(value.rows);
      out.writeByte((value.noted ? NOTED : 0) | (value.result == null ? 0 : RESULT));
      if (value.result != null) {
        results.write(value.result, out);
      }
    }

    @Override
    public Emitted read(Bytes in) {
      Frames.Reader reader = new Frames.Reader(in);
      long rows = reader.readLong();
      int start = reader.position() + 1;
      if (in.length() < start || in.get(start - 1) < 0 || in.get(start - 1) > 3) {
        throw new SerdeException("Found " + in + " where an early result was kept.");
      }
      int flags = in.get(start - 1);
      Object result = (flags & RESULT) == 0 ? null : Frames.last(results, in, start);
      return new Emitted(rows, (flags & NOTED) != 0, result);
    }
  }
}
