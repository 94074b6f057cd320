package dev.millrace.internal.engine.operators.outside;

import dev.millrace.internal.engine.operators.rows.WaitingRow;
import org.jspecify.annotations.Nullable;

/// What another system is asked for a row, and what becomes of the answer. Shared by all tasks.
interface Asking {
  /// The value itself, for which the answer goes on.
  Asking ITSELF =
      new Asking() {
        @Override
        public @Nullable Object question(long number, WaitingRow row) {
          return row.value();
        }

        @Override
        public @Nullable Object result(WaitingRow row, @Nullable Object answer) {
          return answer;
        }

        @Override
        public String kind() {
          return "call";
        }
      };

  /// @param number of the row; those of rows that come later are larger if it is a [#change]
  /// @return null if nothing is asked: then the answer is null
  @Nullable Object question(long number, WaitingRow row);

  /// @return null if nothing goes on
  @Nullable Object result(WaitingRow row, @Nullable Object answer);

  /// What is done: of another kind, rows that wait mean something else.
  String kind();

  /// Whether the other system is changed by it: then only for what is committed, of a key one by
  /// one, and of several that wait only for the last.
  default boolean change() {
    return false;
  }
}
