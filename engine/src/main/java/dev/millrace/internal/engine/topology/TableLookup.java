package dev.millrace.internal.engine.topology;

import dev.millrace.api.KeyedStream;
import dev.millrace.api.Table;
import dev.millrace.api.function.Joiner;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.join.LookupJoinOperator;
import dev.millrace.internal.engine.operators.rows.JoinFunction;
import java.util.List;

/// Adds a join of a stream with a table to a topology: with what the table has when a record comes.
record TableLookup(Join join) {

  <K, W, R> KeyedStream<K, R> of(
      BuiltKeyedStream<K, ?> stream, Table<K, W> other, Joiner<?, ?, ? extends R> joiner) {
    BuiltKeyedStream<K, W> changes = BuiltTable.changes(other, join.operator());
    Join.Sides<K> sides = join.takeLookup(stream, changes);
    Declaration declared = declare(sides.left(), changes, join.function(joiner));
    return join.add(sides, declared, join.results(joiner));
  }

  private Declaration declare(
      BuiltKeyedStream<?, ?> stream, BuiltKeyedStream<?, ?> changes, JoinFunction function) {
    Serde<Object> keys = Erased.serde(stream.keySerde());
    Serde<Object> ofTable = join.values(changes, "keeps");
    stream
        .topology()
        .requireFinal(
            stream.node(),
            join.operator(),
            "Or join with asOf(table, lateness), which retracts what it joined.");
    return stream
        .topology()
        .atTicks(
            join.name(),
            LookupJoinOperator.declare(join.name(), keys, ofTable, function),
            keys,
            () -> List.of(join.values(stream, "keeps"), ofTable));
  }
}
