package dev.millrace.engine.topology;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.Within;
import dev.millrace.api.function.Joiner;
import dev.millrace.api.serde.Serde;
import dev.millrace.engine.operators.Declaration;
import dev.millrace.engine.operators.IntervalJoinOperator;
import dev.millrace.engine.operators.IntervalJoinOperator.Interval;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Adds a join of two streams to a topology.
///
/// @param kind `join`, `leftJoin` or `outerJoin`
/// @param name given by the application
/// @param needsLeft whether a record on the right has no result without a partner
/// @param needsRight the same on the left
record StreamJoin(String kind, String name, boolean needsLeft, boolean needsRight) {
  private static final ShownType UNSEEN = ShownType.unknown("a join shows nothing of its sides");

  <K, V, W, R> KeyedStream<K, R> of(
      BuiltKeyedStream<K, V> left,
      KeyedStream<K, W> other,
      Within within,
      Joiner<?, ?, ? extends R> joiner,
      @Nullable Serde<R> given) {
    String operator = kind + " '" + name + "'";
    if (!(other instanceof BuiltKeyedStream<K, W> right)) {
      throw TopologyBuilder.foreign(operator);
    }
    TopologyBuilder topology = left.topology();
    topology.requireOwn(right.topology(), operator);
    TableJoin.requireSameKeys(operator, left.keySerde(), right.keySerde());
    topology.names().takeOperator(kind, name);
    Serde<Object> keys = Erased.serde(left.keySerde());
    List<Node> inputs = List.of(left.node(), right.node());
    Joiner<@Nullable Object, @Nullable Object, Object> erased = Erased.joiner(joiner);
    Declaration declared =
        IntervalJoinOperator.declare(
            name,
            interval(topology, inputs, within, operator),
            keys,
            List.of(
                left.typing().valueSerde(operator + " keeps", UNSEEN),
                right.typing().valueSerde(operator + " keeps", UNSEEN)),
            values -> erased.join(values[0], values[1]));
    for (StoreSpec<?, ?> store : declared.stores()) {
      topology.names().takeStore(store.name(), operator);
    }
    Node join = topology.addKeyed(id -> new Node.Stateful(id, name, kind, inputs, keys, declared));
    Typing results = Typing.results(operator, LambdaTypes.result(joiner));
    return new BuiltKeyedStream<>(
        topology, join, left.keySerde(), given == null ? results : results.with(given));
  }

  private Interval interval(
      TopologyBuilder topology, List<Node> inputs, Within within, String operator) {
    long corrected = inputs.stream().mapToLong(topology::correctsMillis).max().orElse(0);
    if (corrected >= Declaration.FOREVER) {
      throw new InvalidTopologyException(
          operator
              + " is given the changes of a table, which may take a value back at any time. Give it"
              + " updates() of the table, or join tables.");
    }
    return new Interval(
        within.before().toMillis(),
        within.after().toMillis(),
        Math.max(within.lateness().toMillis(), corrected),
        !needsRight,
        !needsLeft);
  }
}
