package dev.millrace.internal.engine.operators.rows;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Frames;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.Schemas;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A few values in the order they came, encoded one behind the other: those of one key and time.
///
/// @param bytes values of one serde, framed
public record Bag(Bytes bytes) {

  /// A bag with one more value.
  public static Bag with(@Nullable Bag before, Serde<Object> values, Object value) {
    BytesWriter out = new BytesWriter(64);
    if (before != null) {
      out.write(before.bytes);
    }
    Frames.write(values, value, out);
    return new Bag(Bytes.of(out.toByteArray()));
  }

  /// The bag without the first of its values that has these bytes; null if there is none.
  @Nullable Bag without(Serde<Object> values, Object value) {
    BytesWriter encoded = new BytesWriter(64);
    values.write(value, encoded);
    Bytes rest = Retained.without(bytes, values, encoded.view(new Bytes(), 0), 0);
    return rest == null ? null : new Bag(rest);
  }

  boolean isEmpty() {
    return bytes.length() == 0;
  }

  List<Object> values(Serde<Object> values) {
    List<Object> all = new ArrayList<>();
    Retained.read(bytes, values, all);
    return all;
  }

  /// The value that came last; there must be one.
  Object last(Serde<Object> values) {
    Frames.Reader in = new Frames.Reader(bytes);
    Bytes frame = in.frame();
    while (!in.atEnd()) {
      frame = in.frame();
    }
    return Opened.kept(values.read(frame));
  }

  /// How it is kept.
  ///
  /// @param values the serde that wrote them
  /// @param kept the serde as whose they are kept
  public record Format(Serde<Object> values, Serde<Object> kept) implements Serde<Bag> {
    public Format(Serde<Object> values) {
      this(values, values);
    }

    @Override
    public String id() {
      return "bag(" + values.id() + ")";
    }

    @Override
    public String schema() {
      return Schemas.compose("bag", kept);
    }

    @Override
    public boolean canRead(String writtenSchema) {
      return Schemas.canRead(writtenSchema, "bag", values);
    }

    @Override
    public Optional<Serde<Bag>> writingAs(String olderSchema) {
      return Schemas.writingAs(
          olderSchema, "bag", List.of(values), parts -> new Format(values, parts.getFirst()));
    }

    @Override
    public void write(Bag value, BytesWriter out) {
      Frames.copy(value.bytes, values, kept, out);
    }

    @Override
    public Bag read(Bytes in) {
      return new Bag(in.copy());
    }
  }
}
