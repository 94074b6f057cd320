package dev.millrace.engine.topology;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.Table;
import dev.millrace.api.function.Joiner;
import dev.millrace.api.serde.Serde;
import dev.millrace.engine.operators.AsOfJoinOperator;
import dev.millrace.engine.operators.Declaration;
import dev.millrace.engine.operators.LookupJoinOperator;
import dev.millrace.engine.operators.TableJoinOperator;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Adds a join of a stream with a table to a topology.
///
/// @param kind in messages
/// @param name given by the application
/// @param needsTable whether a record has no result if the table has nothing for its key
/// @param lateness of records and changes, where a record sees the table as it was at its time;
///   null where it sees it as it is
record TableLookup(String kind, String name, boolean needsTable, @Nullable Duration lateness) {
  private static final ShownType UNSEEN = ShownType.unknown("a join shows nothing of its sides");

  <K, V, W, R> KeyedStream<K, R> of(
      BuiltKeyedStream<K, V> stream,
      Table<K, W> other,
      Joiner<?, ?, ? extends R> joiner,
      @Nullable Serde<R> given) {
    String operator = kind + " '" + name + "'";
    if (!(other instanceof BuiltTable<K, W> table)) {
      throw TopologyBuilder.foreign(operator);
    }
    BuiltKeyedStream<K, W> changes = table.changes();
    TopologyBuilder topology = stream.topology();
    topology.requireOwn(changes.topology(), operator);
    TableJoin.requireSameKeys(operator, stream.keySerde(), changes.keySerde());
    topology.names().takeOperator(kind, name);
    Declaration declared = declare(operator, stream, changes, joiner(Erased.joiner(joiner)));
    for (StoreSpec<?, ?> store : declared.stores()) {
      topology.names().takeStore(store.name(), operator);
    }
    List<Node> inputs = List.of(stream.node(), changes.node());
    Serde<Object> keys = Erased.serde(stream.keySerde());
    Node join = topology.addKeyed(id -> new Node.Stateful(id, name, kind, inputs, keys, declared));
    Typing results = Typing.results(operator, LambdaTypes.result(joiner));
    return new BuiltKeyedStream<>(
        topology, join, stream.keySerde(), given == null ? results : results.with(given));
  }

  private Declaration declare(
      String operator,
      BuiltKeyedStream<?, ?> stream,
      BuiltKeyedStream<?, ?> changes,
      TableJoinOperator.Joiner joiner) {
    Serde<Object> keys = Erased.serde(stream.keySerde());
    Serde<Object> ofTable = changes.typing().valueSerde(operator + " keeps", UNSEEN);
    long corrected = stream.topology().correctsMillis(stream.node());
    if (lateness == null) {
      stream.topology().requireFinal(stream.node(), operator);
      return LookupJoinOperator.declare(name, keys, ofTable, joiner);
    }
    if (corrected >= Declaration.FOREVER) {
      throw new InvalidTopologyException(
          operator
              + " joins the changes of a table, which may take a value back at any time. Give it"
              + " updates() of that table, or join tables.");
    }
    Serde<Object> ofStream = stream.typing().valueSerde(operator + " keeps", UNSEEN);
    return AsOfJoinOperator.declare(
        name, Math.max(lateness.toMillis(), corrected), keys, List.of(ofStream, ofTable), joiner);
  }

  private TableJoinOperator.Joiner joiner(
      Joiner<@Nullable Object, @Nullable Object, Object> joiner) {
    return values -> needsTable && values[1] == null ? null : joiner.join(values[0], values[1]);
  }
}
