package dev.millrace.internal.engine.topology;

import dev.millrace.api.Table;
import dev.millrace.api.function.Joiner;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.join.TableJoinOperator;
import java.util.List;

/// Adds a join of two tables to a topology.
record TableJoin(Join join) {

  <K, W, R> Table<K, R> of(
      BuiltKeyedStream<K, ?> left, Table<K, W> other, Joiner<?, ?, ? extends R> joiner) {
    BuiltKeyedStream<K, W> right = BuiltTable.changes(other, join.operator());
    Join.Sides<K> sides = join.take(left, right);
    Serde<Object> keys = Erased.serde(left.keySerde());
    List<Serde<Object>> values = List.of(join.values(left, "keeps"), join.values(right, "keeps"));
    Declaration declared =
        left.topology()
            .atTicks(
                join.name(),
                TableJoinOperator.declare(join.name(), keys, values, join.function(joiner))
                    .with(join.parameters()),
                keys,
                () -> values);
    return new BuiltTable<>(join.add(sides, declared, join.results(joiner)));
  }
}
