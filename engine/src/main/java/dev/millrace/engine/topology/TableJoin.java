package dev.millrace.engine.topology;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.Table;
import dev.millrace.api.function.Joiner;
import dev.millrace.api.serde.Serde;
import dev.millrace.engine.operators.Declaration;
import dev.millrace.engine.operators.TableJoinOperator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Adds a join of two tables to a topology.
///
/// @param kind `join`, `leftJoin` or `outerJoin`
/// @param name given by the application
/// @param needsLeft whether a key has no result without a value on the left
/// @param needsRight the same on the right
record TableJoin(String kind, String name, boolean needsLeft, boolean needsRight) {
  private static final ShownType UNSEEN = ShownType.unknown("a join shows nothing of its sides");

  <K, V, W, R> Table<K, R> of(
      BuiltTable<K, V> left,
      Table<K, W> other,
      Joiner<?, ?, ? extends R> joiner,
      @Nullable Serde<R> given) {
    String operator = kind + " '" + name + "'";
    if (!(other instanceof BuiltTable<K, W> right)) {
      throw TopologyBuilder.foreign(operator);
    }
    BuiltKeyedStream<K, V> leftChanges = left.changes();
    BuiltKeyedStream<K, W> rightChanges = right.changes();
    TopologyBuilder topology = leftChanges.topology();
    topology.requireOwn(rightChanges.topology(), operator);
    requireSameKeys(operator, leftChanges.keySerde(), rightChanges.keySerde());
    topology.names().takeOperator(kind, name);
    Serde<Object> keys = Erased.serde(leftChanges.keySerde());
    Declaration declared =
        TableJoinOperator.declare(
            name,
            keys,
            List.of(
                leftChanges.typing().valueSerde(operator + " keeps", UNSEEN),
                rightChanges.typing().valueSerde(operator + " keeps", UNSEEN)),
            joiner(Erased.joiner(joiner)));
    for (StoreSpec<?, ?> store : declared.stores()) {
      topology.names().takeStore(store.name(), operator);
    }
    List<Node> inputs = List.of(leftChanges.node(), rightChanges.node());
    Node join = topology.addKeyed(id -> new Node.Stateful(id, name, kind, inputs, keys, declared));
    Typing results = Typing.results(operator, LambdaTypes.result(joiner));
    return new BuiltTable<>(
        new BuiltKeyedStream<>(
            topology, join, leftChanges.keySerde(), given == null ? results : results.with(given)));
  }

  private TableJoinOperator.Joiner joiner(
      Joiner<@Nullable Object, @Nullable Object, Object> joiner) {
    return values -> {
      Object left = values[0];
      Object right = values[1];
      boolean none =
          (left == null && right == null)
              || (needsLeft && left == null)
              || (needsRight && right == null);
      return none ? null : joiner.join(left, right);
    };
  }

  static void requireSameKeys(String operator, Serde<?> left, Serde<?> right) {
    if (!BuiltKeyedStream.sameFormat(left, right)) {
      throw new InvalidTopologyException(
          "%s was given sides whose keys have different bytes: serde '%s' and serde '%s'. Values of one key would not meet; bring one side to the other's keys with groupBy(name, key, serde)."
              .formatted(operator, left.id(), right.id()));
    }
  }
}
