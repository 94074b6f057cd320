package dev.millrace.internal.engine.operators.rows;

import org.jspecify.annotations.Nullable;

/// What becomes of the values that two sides of a join have for a key. Shared by all tasks.
@FunctionalInterface
public interface JoinFunction {
  /// @param left null if the left side has none
  /// @param right null if the right side has none
  /// @return null if there is no result
  @Nullable Object join(@Nullable Object left, @Nullable Object right);
}
