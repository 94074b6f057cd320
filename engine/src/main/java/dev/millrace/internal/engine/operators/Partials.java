package dev.millrace.internal.engine.operators;

import dev.millrace.api.serde.Serde;
import org.jspecify.annotations.Nullable;

/// An aggregation of rows that are aggregates themselves, each [Counted], as a [Combiner] makes
/// them.
///
/// @param of one that merges
record Partials(Aggregation of) implements Aggregation {

  @Override
  public Object add(@Nullable Object aggregate, RowCursor row) {
    Object partial = Opened.kept(((Counted) row.value()).aggregate());
    return aggregate == null ? partial : of.merge(aggregate, partial);
  }

  @Override
  public long rows(RowCursor row) {
    return ((Counted) row.value()).rows();
  }

  @Override
  public Object result(Object aggregate) {
    return of.result(aggregate);
  }

  @Override
  public Serde<Object> format(Serde<Object> results) {
    return of.format(results);
  }

  @Override
  public Object merge(Object one, Object other) {
    return of.merge(one, other);
  }

  @Override
  public boolean merges() {
    return of.merges();
  }
}
