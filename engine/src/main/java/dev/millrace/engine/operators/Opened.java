package dev.millrace.engine.operators;

import dev.millrace.api.serde.Bytes;
import org.jspecify.annotations.Nullable;

/// What an operator takes for granted while it runs.
final class Opened {
  private Opened() {}

  /// What `open` has set.
  static <T> T store(@Nullable T opened) {
    if (opened == null) {
      throw new IllegalStateException("The operator is not open.");
    }
    return opened;
  }

  /// The value of a row, as an object that may be kept.
  static Object value(RowCursor row) {
    return kept(row.value());
  }

  /// A value as an object that may be kept.
  static Object kept(Object value) {
    return value instanceof Bytes view ? view.copy() : value;
  }

  /// The key of a row that must have one.
  static Bytes key(RowCursor row) {
    Bytes key = row.keyBytes();
    if (key == null) {
      throw new IllegalArgumentException(
          "The record has no key, and it is grouped by its key; key it, or filter it out before.");
    }
    return key;
  }
}
