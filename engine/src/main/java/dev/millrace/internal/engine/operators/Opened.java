package dev.millrace.internal.engine.operators;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import org.jspecify.annotations.Nullable;

/// What an operator takes for granted while it runs.
public final class Opened {
  private Opened() {}

  /// What `open` has set.
  public static <T> T store(@Nullable T opened) {
    if (opened == null) {
      throw new IllegalStateException("The operator is not open.");
    }
    return opened;
  }

  /// The value of a row, as an object that may be kept.
  public static Object value(RowCursor row) {
    return kept(row.value());
  }

  /// A value as an object that may be kept.
  public static Object kept(Object value) {
    return value instanceof Bytes view ? view.copy() : value;
  }

  /// What a serde makes of bytes that are used for something else later.
  public static Object object(Serde<Object> serde, Bytes bytes) {
    return kept(serde.read(bytes));
  }

  /// A value in the bytes of its serde.
  public static Bytes bytes(Serde<Object> serde, Object value) {
    BytesWriter out = new BytesWriter(64);
    serde.write(value, out);
    return Bytes.of(out.toByteArray());
  }

  /// The key of a row that must have one.
  public static Bytes key(RowCursor row) {
    Bytes key = row.keyBytes();
    if (key == null) {
      throw new IllegalArgumentException(
          "The record has no key, but it is grouped by its key. Give it a key, or filter it out"
              + " before.");
    }
    return key;
  }
}
