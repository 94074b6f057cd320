package dev.millrace.internal.engine.operators;

import dev.millrace.api.serde.Serde;
import org.jspecify.annotations.Nullable;

/// An aggregation that also counts its rows, so that it knows when all of them were taken out
/// again: a sum of zero says nothing of that.
///
/// @param of what is aggregated besides
record RowCounting(Aggregation of) implements Aggregation {

  @Override
  public Object add(@Nullable Object aggregate, RowCursor row) {
    return aggregate instanceof Counted(var rows, var before)
        ? new Counted(rows + 1, of.add(before, row))
        : new Counted(1, of.add(null, row));
  }

  @Override
  public @Nullable Object remove(Object aggregate, RowCursor row) {
    Counted counted = (Counted) aggregate;
    if (counted.rows() == 1) {
      return null;
    }
    Object rest = of.remove(counted.aggregate(), row);
    return rest == null ? null : new Counted(counted.rows() - 1, rest);
  }

  @Override
  public boolean removes() {
    return of.removes();
  }

  @Override
  public Object merge(Object one, Object other) {
    Counted first = (Counted) one;
    Counted second = (Counted) other;
    return new Counted(
        first.rows() + second.rows(), of.merge(first.aggregate(), second.aggregate()));
  }

  @Override
  public boolean merges() {
    return of.merges();
  }

  @Override
  public Object result(Object aggregate) {
    return of.result(((Counted) aggregate).aggregate());
  }

  @Override
  public Aggregation ofChangingRows() {
    return this;
  }

  @Override
  public Serde<Object> format(Serde<Object> results) {
    return new Counted.Format(of.format(results));
  }
}
