package dev.millrace.engine.operators;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import org.jspecify.annotations.Nullable;

/// An aggregation that also counts its rows, so that it knows when all of them were taken out
/// again: a sum of zero says nothing of that.
///
/// @param of what is aggregated besides
record RowCounting(Aggregation of) implements Aggregation {

  /// @param rows how many are in it, at least one
  private record Counted(long rows, Object aggregate) {}

  @Override
  public Object add(@Nullable Object aggregate, RowCursor row) {
    return aggregate instanceof Counted(var rows, var before)
        ? new Counted(rows + 1, of.add(before, row))
        : new Counted(1, of.add(null, row));
  }

  @Override
  public @Nullable Object remove(Object aggregate, RowCursor row) {
    Counted counted = (Counted) aggregate;
    if (counted.rows == 1) {
      return null;
    }
    Object rest = of.remove(counted.aggregate, row);
    return rest == null ? null : new Counted(counted.rows - 1, rest);
  }

  @Override
  public boolean removes() {
    return of.removes();
  }

  @Override
  public Object merge(Object one, Object other) {
    Counted first = (Counted) one;
    Counted second = (Counted) other;
    return new Counted(first.rows + second.rows, of.merge(first.aggregate, second.aggregate));
  }

  @Override
  public boolean merges() {
    return of.merges();
  }

  @Override
  public Object result(Object aggregate) {
    return of.result(((Counted) aggregate).aggregate);
  }

  @Override
  public Aggregation ofChangingRows() {
    return this;
  }

  @Override
  public Serde<Object> format(Serde<Object> results) {
    return new Format(of.format(results));
  }

  /// How it is kept: the number of rows and the aggregate.
  private record Format(Serde<Object> aggregates) implements Serde<Object> {
    @Override
    public String id() {
      return "counted(" + aggregates.id() + ")";
    }

    @Override
    public String schema() {
      return Schemas.compose("counted", aggregates);
    }

    @Override
    public boolean canRead(String writtenSchema) {
      return Schemas.canRead(writtenSchema, "counted", aggregates);
    }

    @Override
    public void write(Object value, BytesWriter out) {
      Counted counted = (Counted) value;
      out.writeLong(counted.rows);
      aggregates.write(counted.aggregate, out);
    }

    @Override
    public Object read(Bytes in) {
      Frames.Reader reader = new Frames.Reader(in);
      long rows = reader.readLong();
      if (rows < 1) {
        throw new SerdeException("Found an aggregate of " + rows + " rows.");
      }
      return new Counted(rows, Frames.last(aggregates, in, reader.position()));
    }
  }
}
