package dev.millrace.internal.engine.operators.window;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.internal.engine.operators.Frames;
import dev.millrace.internal.engine.operators.Schemas;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What is known of a window that has not ended, besides its aggregate. Times are milliseconds
/// since 1970.
///
/// @param rows how many it has, at least one
/// @param unshown how many of them no result has
/// @param first the least event time
/// @param last the greatest
/// @param noted whether there is a time at which a result comes
/// @param shown what was emitted last; null if nothing was
public record RecordWindow(
    long rows, long unshown, long first, long last, boolean noted, @Nullable Shown shown) {

  /// A result that was emitted.
  ///
  /// @param time it was emitted with
  public record Shown(long first, long last, long time, Object result) {

    /// Whether another one says the same.
    boolean isSame(Shown other) {
      return first == other.first && last == other.last && result.equals(other.result);
    }
  }

  /// A window with one row.
  static RecordWindow begun(long time) {
    return new RecordWindow(1, 1, time, time, false, null);
  }

  /// The same with one more row.
  RecordWindow with(long time) {
    return new RecordWindow(
        rows + 1, unshown + 1, Math.min(first, time), Math.max(last, time), noted, shown);
  }

  RecordWindow withNote(boolean isNoted) {
    return new RecordWindow(rows, unshown, first, last, isNoted, shown);
  }

  RecordWindow withShown(Shown now) {
    return new RecordWindow(rows, 0, first, last, noted, now);
  }

  /// How it is kept: its numbers, whether there is a note, and what was shown if anything was.
  public record Format(Serde<Object> results) implements Serde<RecordWindow> {
    private static final int NOTED = 1;
    private static final int SHOWN = 2;

    @Override
    public String id() {
      return "open(" + results.id() + ")";
    }

    @Override
    public String schema() {
      return Schemas.compose("open", results);
    }

    @Override
    public boolean canRead(String writtenSchema) {
      return Schemas.canRead(writtenSchema, "open", results);
    }

    @Override
    public Optional<Serde<RecordWindow>> writingAs(String olderSchema) {
      return Schemas.writingAs(
          olderSchema, "open", List.of(results), parts -> new Format(parts.getFirst()));
    }

    @Override
    public void write(RecordWindow value, BytesWriter out) {
      out.writeInt((value.noted ? NOTED : 0) | (value.shown == null ? 0 : SHOWN));
      out.writeLong(value.rows);
      out.writeLong(value.unshown);
      out.writeLong(value.first);
      out.writeLong(value.last);
      Shown shown = value.shown;
      if (shown != null) {
        out.writeLong(shown.first);
        out.writeLong(shown.last);
        out.writeLong(shown.time);
        results.write(shown.result, out);
      }
    }

    @Override
    public RecordWindow read(Bytes in) {
      Frames.Reader reader = new Frames.Reader(in);
      int flags = reader.readInt();
      if (flags < 0 || flags > (NOTED | SHOWN)) {
        throw new SerdeException("Found " + in + " where an open window was kept.");
      }
      boolean noted = (flags & NOTED) != 0;
      long rows = reader.readLong();
      long unshown = reader.readLong();
      long first = reader.readLong();
      long last = reader.readLong();
      Shown shown = (flags & SHOWN) == 0 ? null : readShown(in, reader);
      return new RecordWindow(rows, unshown, first, last, noted, shown);
    }

    private Shown readShown(Bytes in, Frames.Reader reader) {
      long first = reader.readLong();
      long last = reader.readLong();
      long time = reader.readLong();
      return new Shown(first, last, time, Frames.last(results, in, reader.position()));
    }
  }
}
