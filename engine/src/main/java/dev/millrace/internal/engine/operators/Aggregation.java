package dev.millrace.internal.engine.operators;

import dev.millrace.api.function.Aggregator;
import dev.millrace.api.function.Initializer;
import dev.millrace.api.function.Reducer;
import dev.millrace.api.serde.Serde;
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
  /// @return the aggregate without the row; null if none is left, and [#ofChangingRows] was asked
  ///   for
  default @Nullable Object remove(Object aggregate, RowCursor row) {
    throw new UnsupportedOperationException("This aggregate does not support retractions.");
  }

  /// Whether rows can be taken out again; otherwise what comes and goes has to be kept.
  default boolean removes() {
    return false;
  }

  /// The result that an aggregate stands for.
  ///
  /// @param aggregate not used any more
  default Object result(Object aggregate) {
    return aggregate;
  }

  /// How aggregates are kept.
  ///
  /// @param results how their results would be
  default Serde<Object> format(Serde<Object> results) {
    return results;
  }

  /// The same for rows that may be taken back: knows when none is left.
  default Aggregation ofChangingRows() {
    return new RowCounting(this);
  }

  /// Joins the aggregates of two sets of rows, of which those of the first came before; only if
  /// [#merges].
  ///
  /// @param one may be changed and returned
  default Object merge(Object one, Object other) {
    throw new UnsupportedOperationException("This aggregate cannot be merged.");
  }

  /// Whether aggregates can be joined.
  default boolean merges() {
    return false;
  }

  /// The same for rows that are its own aggregates, made by a [Combiner]; only if [#merges].
  default Aggregation ofPartials() {
    return new Partials(this);
  }

  /// How many rows the row the cursor stands at stands for.
  default long rows(RowCursor row) {
    return 1;
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
    public Aggregation ofChangingRows() {
      return this;
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
  static Aggregation fold(Initializer<Object> initializer, Aggregator<Object, Object> aggregator) {
    return new Fold(initializer, aggregator, null, null);
  }

  /// See [#fold].
  ///
  /// @param merger null if aggregates cannot be joined
  /// @param inverse null if values cannot be taken out again
  record Fold(
      Initializer<Object> initializer,
      Aggregator<Object, Object> aggregator,
      @Nullable Reducer<Object> merger,
      @Nullable Aggregator<Object, Object> inverse)
      implements Aggregation {

    @Override
    public Object add(@Nullable Object aggregate, RowCursor row) {
      return keep(
          aggregator.aggregate(aggregate == null ? initializer.get() : aggregate, row.value()));
    }

    @Override
    public @Nullable Object remove(Object aggregate, RowCursor row) {
      if (inverse == null) {
        return Aggregation.super.remove(aggregate, row);
      }
      return keep(inverse.aggregate(aggregate, row.value()));
    }

    @Override
    public boolean removes() {
      return inverse != null;
    }

    @Override
    public Object merge(Object one, Object other) {
      return merger == null ? Aggregation.super.merge(one, other) : keep(merger.reduce(one, other));
    }

    @Override
    public boolean merges() {
      return merger != null;
    }
  }

  private static Object keep(@Nullable Object result) {
    if (result == null) {
      throw new NullPointerException("The function returned null; an aggregate is never null.");
    }
    return Opened.kept(result);
  }
}
