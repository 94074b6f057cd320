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

  /// Takes the row the cursor stands at out again; only if [#removes].
  ///
  /// @return the aggregate without the row; null if none is left
  default @Nullable Object remove(Object aggregate, RowCursor row) {
    throw new UnsupportedOperationException("Rows cannot be taken out of this aggregate.");
  }

  /// Whether rows can be taken out again; otherwise what comes and goes has to be kept.
  default boolean removes() {
    return false;
  }

  /// Joins the aggregates of two sets of rows, of which those of the first came before; only if
  /// [#merges].
  ///
  /// @param one may be changed and returned
  default Object merge(Object one, Object other) {
    throw new UnsupportedOperationException("Aggregates of this kind cannot be joined.");
  }

  /// Whether aggregates can be joined.
  default boolean merges() {
    return false;
  }

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

    @Override
    public @Nullable Object remove(Object aggregate, RowCursor row) {
      long rest = (Long) aggregate - 1;
      return rest == 0 ? null : (Object) rest;
    }

    @Override
    public boolean removes() {
      return true;
    }

    @Override
    public Object merge(Object one, Object other) {
      return (Long) one + (Long) other;
    }

    @Override
    public boolean merges() {
      return true;
    }
  }

  /// Combines values; the first one stands for itself.
  static Aggregation reduce(Reducer<Object> reducer) {
    return new Reduce(reducer);
  }

  /// See [#reduce].
  record Reduce(Reducer<Object> reducer) implements Aggregation {
    @Override
    public Object add(@Nullable Object aggregate, RowCursor row) {
      return aggregate == null ? keep(row.value()) : keep(reducer.reduce(aggregate, row.value()));
    }

    @Override
    public Object merge(Object one, Object other) {
      return keep(reducer.reduce(one, other));
    }

    @Override
    public boolean merges() {
      return true;
    }
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
