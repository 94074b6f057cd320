package dev.millrace.internal.engine.operators.table;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Aggregates;
import dev.millrace.internal.engine.operators.Aggregation;
import dev.millrace.internal.engine.operators.Counts;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.Operator;
import dev.millrace.internal.engine.operators.OperatorContext;
import dev.millrace.internal.engine.operators.Parameters;
import dev.millrace.internal.engine.operators.ReadAhead;
import dev.millrace.internal.engine.operators.RowCursor;
import dev.millrace.internal.engine.operators.RowSink;
import dev.millrace.internal.engine.operators.Snapshot;
import dev.millrace.internal.engine.operators.rows.KeyBytesSerde;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Keeps one aggregate a key and emits it anew for each row, at the row's event time; takes back
/// the one before, if anybody wants to know.
public final class AggregateOperator implements Operator {
  private final StoreSpec<Bytes, Object> spec;
  private final Aggregation aggregation;
  private final Snapshot snapshot;
  private @Nullable Aggregates store;
  private @Nullable Counts counts;
  private @Nullable ReadAhead ahead;

  private AggregateOperator(StoreSpec<Bytes, Object> spec, Aggregation aggregation) {
    this.spec = spec;
    this.aggregation = aggregation;
    this.snapshot = new Snapshot(spec.valueSerde());
  }

  /// The operator as a topology carries it.
  ///
  /// @param keys of the rows
  public static Declaration declare(
      String name, Aggregation aggregation, Serde<Object> keys, Serde<Object> aggregates) {
    StoreSpec<Bytes, Object> spec = StoreSpec.keyValue(name, KeyBytesSerde.plain(keys), aggregates);
    return new Declaration(
        () -> new AggregateOperator(spec, aggregation),
        List.of(spec),
        Parameters.of("aggregate"),
        Declaration.FOREVER);
  }

  @Override
  public void open(OperatorContext context) {
    store = context.aggregates(spec);
    counts = aggregation instanceof Aggregation.Count ? context.counts(spec) : null;
    ahead = context.readAhead(spec);
  }

  @Override
  public void process(RowCursor rows, RowSink out) {
    Opened.store(ahead).loadKeysOf(rows);
    boolean retracts = out.wantsRetractions();
    Counts numbers = counts;
    if (numbers != null) {
      while (rows.next()) {
        Bytes key = Opened.key(rows);
        long sum = numbers.add(key, 1);
        if (retracts && sum > 1) {
          out.retract(key, sum - 1, rows.timestamp());
        }
        out.emit(sum, rows.timestamp());
      }
      return;
    }
    Aggregates aggregates = Opened.store(store);
    while (rows.next()) {
      Bytes key = Opened.key(rows);
      Object before = aggregates.find(key);
      if (retracts && before != null) {
        out.retract(key, snapshot.of(before), rows.timestamp());
      }
      Object aggregate = aggregation.add(before, rows);
      aggregates.replace(key, snapshot.of(aggregate));
      out.emit(aggregate, rows.timestamp());
    }
  }

  @Override
  public boolean resultsVanish() {
    return false;
  }

  @Override
  public boolean advance(long watermark, int budget, RowSink out) {
    return true;
  }

  @Override
  public void close() {
    store = null;
    counts = null;
    ahead = null;
  }
}
