package dev.millrace.internal.engine.operators;

import dev.millrace.api.serde.Bytes;
import org.jspecify.annotations.Nullable;

/// Takes the rows that an operator produces. They go on when the operator returns.
public interface RowSink {

  /// A row with the key and headers of the row the cursor stands at. Only while processing.
  void emit(Object value, long timestamp);

  /// A row with a key of its own and no headers.
  ///
  /// @param keyBytes copied
  void emit(@Nullable Bytes keyBytes, Object value, long timestamp);

  /// Says of what comes what is emitted from now on, when event time moves on or answers come: a
  /// window's result, a timer, a row that waited. What fails until the next one is said, here or
  /// behind the operator, is a failure of that. What it is about must still be in the stores.
  ///
  /// @param place by which the operator can describe it; see [Operator#due]. Kept, not copied
  /// @return whether to do it; if not, it has failed before and was passed over
  default boolean begins(Bytes place) {
    return true;
  }

  /// Whether anybody wants to know what is taken back; otherwise [#retract] does nothing.
  boolean wantsRetractions();

  /// Takes back a row that was emitted before with this key, value and time, and no headers. Only
  /// of an operator that says so in its [Declaration].
  ///
  /// @param keyBytes copied
  void retract(@Nullable Bytes keyBytes, Object value, long timestamp);
}
