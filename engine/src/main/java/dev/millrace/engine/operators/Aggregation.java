package dev.millrace.engine.operators;

import dev.millrace.api.function.Folder;
import dev.millrace.api.function.Initial;
import dev.millrace.api.function.Reducer;
import dev.millrace.api.serde.Bytes;
import org.jspecify.annotations.Nullable;

/// How rows of one key become one value. Shared by all tasks.
@FunctionalInterface
public interface Aggregation {

  /// Adds the row the cursor stands at.
  ///
  /// @param aggregate of the rows before; null if this is the first one
  /// @return the aggregate with the row; may be the old object changed, never a view of the row
  Object add(@Nullable Object aggregate, RowCursor row);

  /// Counts rows; their values are never decoded.
  static Aggregation count() {
    return new Count();
  }

  /// See [#count].
  record Count() implements Aggregation {
    @Override
    public Object add(@Nullable Object aggregate, RowCursor row) {
      return aggregate == null ? 1L : (Long) aggregate + 1;
    }
  }

  /// Combines values; the first one stands for itself.
  static Aggregation reduce(Reducer<Object> reducer) {
    return (aggregate, row) ->
        aggregate == null ? keep(row.value()) : keep(reducer.reduce(aggregate, row.value()));
  }

  /// Folds values into a new object.
  static Aggregation fold(Initial<Object> initial, Folder<Object, Object> folder) {
    return (aggregate, row) ->
        keep(folder.fold(aggregate == null ? initial.get() : aggregate, row.value()));
  }

  private static Object keep(@Nullable Object result) {
    if (result == null) {
      throw new NullPointerException("The function returned null; an aggregate is never null.");
    }
    return result instanceof Bytes view ? view.copy() : result;
  }
}
