package dev.millrace.engine.topology;

import dev.millrace.api.KeyedStream;
import dev.millrace.api.Within;
import dev.millrace.api.function.Joiner;
import dev.millrace.api.serde.Serde;
import dev.millrace.engine.operators.Declaration;
import dev.millrace.engine.operators.IntervalJoinOperator;
import dev.millrace.engine.operators.IntervalJoinOperator.Interval;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Adds a join of two streams to a topology.
record StreamJoin(Join join, Within within) {

  <K, W, R> KeyedStream<K, R> of(
      BuiltKeyedStream<K, ?> left,
      KeyedStream<K, W> other,
      Joiner<?, ?, ? extends R> joiner,
      @Nullable Serde<R> given) {
    if (!(other instanceof BuiltKeyedStream<K, W> right)) {
      throw TopologyBuilder.foreign(join.operator());
    }
    join.take(left, right);
    long corrects = Math.max(join.correctsMillis(left), join.correctsMillis(right));
    Declaration declared =
        IntervalJoinOperator.declare(
            join.name(),
            new Interval(
                within.before().toMillis(),
                within.after().toMillis(),
                Math.max(within.lateness().toMillis(), corrects),
                !join.needsRight(),
                !join.needsLeft()),
            Erased.serde(left.keySerde()),
            List.of(join.values(left, "keeps"), join.values(right, "keeps")),
            join.function(joiner));
    return join.add(left, right, declared, join.results(joiner, given));
  }
}
