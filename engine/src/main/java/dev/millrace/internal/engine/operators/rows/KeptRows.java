package dev.millrace.internal.engine.operators.rows;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.internal.engine.operators.Due;
import dev.millrace.internal.engine.operators.Frames;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.Schemas;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Rows that were kept and are processed again, in order of event time; at one time those of the
/// last input come first, so that a record finds what a table has at its time.
public final class KeptRows {
  private final Serde<Object> keySerde;
  private final List<Serde<Object>> valueSerdes;
  private final List<Row> rows = new ArrayList<>();

  /// The one that is processed.
  private @Nullable Row current;

  public KeptRows(Serde<Object> keySerde, List<Serde<Object>> valueSerdes) {
    this.keySerde = keySerde;
    this.valueSerdes = valueSerdes;
  }

  /// @param value null for a key of a table that is gone
  private record Row(int input, long time, Bytes key, @Nullable Object value, boolean retraction) {}

  /// Rows of one time and key, in the order they came.
  ///
  /// @param frames for each the input, whether it takes back another and whether it has a value, in
  ///   a number, and the value with its length before it
  public record Kept(Bytes frames) {
    private static final int RETRACTION = 1;
    private static final int VALUE = 2;
    private static final int INPUT = 4;

    /// How they are kept.
    ///
    /// @param values the serdes that wrote them, by input
    /// @param kept the serdes as whose they are kept, by input
    public record Format(List<Serde<Object>> values, List<Serde<Object>> kept)
        implements Serde<Kept> {
      public Format(List<Serde<Object>> values) {
        this(values, values);
      }

      @Override
      public String id() {
        return "kept(" + String.join(", ", values.stream().map(Serde::id).toList()) + ")";
      }

      @Override
      public String schema() {
        return Schemas.compose("kept", kept.toArray(Serde[]::new));
      }

      @Override
      public boolean canRead(String writtenSchema) {
        return Schemas.canRead(writtenSchema, "kept", values.toArray(Serde[]::new));
      }

      @Override
      public Optional<Serde<Kept>> writingAs(String olderSchema) {
        return Schemas.writingAs(olderSchema, "kept", values, parts -> new Format(values, parts));
      }

      @Override
      public void write(Kept value, BytesWriter out) {
        if (values.equals(kept)) {
          out.write(value.frames);
          return;
        }
        Frames.Reader in = new Frames.Reader(value.frames);
        while (!in.atEnd()) {
          int flags = in.readInt();
          out.writeInt(flags);
          if ((flags & VALUE) != 0) {
            int input = flags / INPUT;
            Frames.write(kept.get(input), values.get(input).read(in.frame()), out);
          }
        }
      }

      @Override
      public Kept read(Bytes in) {
        return new Kept(in.copy());
      }
    }
  }

  /// Where more rows of a time and key are written, behind those that are kept.
  public static BytesWriter behind(@Nullable Kept before) {
    BytesWriter frames = new BytesWriter(64);
    if (before != null) {
      frames.write(before.frames);
    }
    return frames;
  }

  /// Writes one more row.
  public void keep(int input, RowCursor row, BytesWriter frames) {
    boolean valued = row.hasValue();
    frames.writeInt(
        input * Kept.INPUT
            | (row.isRetraction() ? Kept.RETRACTION : 0)
            | (valued ? Kept.VALUE : 0));
    if (valued) {
      Frames.write(valueSerdes.get(input), row.value(), frames);
    }
  }

  public void clear() {
    rows.clear();
  }

  /// Adds the rows of a time and key.
  public void add(long time, Bytes key, Kept kept) {
    Frames.Reader in = new Frames.Reader(kept.frames);
    while (!in.atEnd()) {
      int flags = in.readInt();
      int input = flags / Kept.INPUT;
      if (flags < 0 || input >= valueSerdes.size()) {
        throw new SerdeException("Found " + flags + " where a row of an input was kept.");
      }
      Object value = null;
      if ((flags & Kept.VALUE) != 0) {
        value = Opened.object(valueSerdes.get(input), in.frame());
      }
      rows.add(new Row(input, time, key, value, (flags & Kept.RETRACTION) != 0));
    }
  }

  /// Processes rows of one input.
  @FunctionalInterface
  public interface Run {
    void process(int input, RowCursor rows);
  }

  /// Brings all rows into their order, and drops those that are not to be processed.
  ///
  /// @param begins asked for each, which is the current one meanwhile
  public void sort(BooleanSupplier begins) {
    Comparator<Row> order = Comparator.comparingLong(Row::time);
    rows.sort(order.thenComparing(Row::input, Comparator.reverseOrder()));
    rows.removeIf(row -> {
      current = row;
      return !begins.getAsBoolean();
    });
    current = null;
  }

  /// Shows all rows in their order, as many at once as are of one input.
  ///
  /// @param oneByOne or one at a time
  public void eachRun(boolean oneByOne, Run run) {
    int from = 0;
    while (from < rows.size()) {
      int input = rows.get(from).input;
      int to = from + 1;
      while (!oneByOne && to < rows.size() && rows.get(to).input == input) {
        to++;
      }
      run.process(input, new Cursor(rows.subList(from, to)));
      from = to;
    }
    current = null;
    rows.clear();
  }

  /// Describes the row at work; null if it may be one of several.
  public @Nullable Due due() {
    Row row = current;
    if (row == null) {
      return null;
    }
    BytesWriter id = new BytesWriter(64);
    id.writeInt(row.input);
    id.writeLong(row.time);
    Frames.write(row.key, id);
    Object value = row.value;
    if (value != null) {
      valueSerdes.get(row.input).write(value, id);
    }
    return new Due(Bytes.of(id.toByteArray()), "row", row.key, row.time, null);
  }

  /// The bytes of its value.
  public @Nullable Bytes kept() {
    Row row = current;
    return row == null || row.value == null
        ? null
        : Opened.bytes(valueSerdes.get(row.input), row.value);
  }

  private final class Cursor implements RowCursor {
    private final List<Row> rows;
    private int at = -1;

    Cursor(List<Row> rows) {
      this.rows = rows;
    }

    private Row row() {
      return rows.get(at);
    }

    @Override
    public boolean next() {
      boolean any = ++at < rows.size();
      if (any) {
        current = rows.get(at);
      } else if (rows.size() > 1) {
        current = null; // what fails now may be a failure of any of them
      }
      return any;
    }

    @Override
    public void rewind() {
      at = -1;
    }

    @Override
    public Bytes keyBytes() {
      return row().key;
    }

    @Override
    public Object key() {
      return keySerde.read(row().key);
    }

    @Override
    public boolean hasOrigin() {
      return false;
    }

    @Override
    public boolean hasValue() {
      return row().value != null;
    }

    @Override
    public Object value() {
      return Objects.requireNonNull(row().value, "The record has no value.");
    }

    @Override
    public long timestamp() {
      return row().time;
    }

    @Override
    public boolean isRetraction() {
      return row().retraction;
    }

    @Override
    public byte @Nullable [] header(String name) {
      return null;
    }

    @Override
    public List<String> headerNames() {
      return List.of();
    }

    @Override
    public Bytes headers() {
      return new Bytes();
    }

    @Override
    public String topic() {
      throw noPlace();
    }

    @Override
    public int partition() {
      throw noPlace();
    }

    @Override
    public long offset() {
      throw noPlace();
    }

    private static IllegalStateException noPlace() {
      return new IllegalStateException(
          "The record waited for its tick: it has no topic, partition or offset any more.");
    }
  }
}
