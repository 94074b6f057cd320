package dev.millrace.engine.topology;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.Table;
import dev.millrace.api.function.Joiner;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Serde;
import dev.millrace.engine.operators.Declaration;
import dev.millrace.engine.operators.ForeignKeyJoinOperator;
import dev.millrace.engine.operators.KeyedValue;
import dev.millrace.engine.operators.TableJoinOperator;
import dev.millrace.engine.operators.TableOperator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Adds a join of a table with what its values refer to.
///
/// The entries of the first table go through an exchange to the task that has the key they refer
/// to, are joined there, and their results go back through another to the task of their own key. A
/// result may come back before the one it replaces is taken back; so the last step keeps all that
/// have come, and shows the last.
///
/// @param kind `join` or `leftJoin`
/// @param name given by the application; that of the first exchange
/// @param needsOther whether an entry that refers to nothing has no result
record ForeignKeyJoin(String kind, String name, boolean needsOther) {
  private static final ShownType UNSEEN = ShownType.unknown("a join shows nothing of its sides");

  <K, V, F, W, R> Table<K, R> of(
      BuiltKeyedStream<K, V> changes,
      Table<F, W> other,
      Mapper<? super V, ? extends F> foreignKey,
      Joiner<?, ?, ? extends R> joiner,
      @Nullable Serde<R> given) {
    String operator = kind + " '" + name + "'";
    if (!(other instanceof BuiltTable<F, W> table)) {
      throw TopologyBuilder.foreign(operator);
    }
    BuiltKeyedStream<F, W> referred = table.changes();
    TopologyBuilder topology = changes.topology();
    topology.requireOwn(referred.topology(), operator);
    topology.names().takeOperator(kind, name);
    topology.names().takeOperator(kind, back());
    Serde<Object> keys = Erased.serde(changes.keySerde());
    Serde<Object> foreignKeys = Erased.serde(referred.keySerde());
    Serde<Object> values = changes.typing().valueSerde(operator + " sends", UNSEEN);
    Typing shown = Typing.results(operator, LambdaTypes.result(joiner));
    Serde<Object> results =
        (given == null ? shown : shown.with(given)).valueSerde(operator + " sends", UNSEEN);
    Node there = exchange(topology, changes, Erased.mapper(foreignKey), foreignKeys, keys, values);
    Declaration join =
        ForeignKeyJoinOperator.declare(
            name,
            foreignKeys,
            keys,
            List.of(values, referred.typing().valueSerde(operator + " keeps", UNSEEN)),
            joiner(Erased.joiner(joiner)));
    Node joined = add(topology, operator, kind, List.of(there, referred.node()), foreignKeys, join);
    Node home =
        topology.addKeyed(id ->
            new Node.Exchange(
                id,
                back(),
                joined,
                keyed -> ((KeyedValue) keyed).key(),
                keys,
                new KeyedValue.Format(keys, results)));
    Node unwrapped =
        topology.addKeyed(
            id -> new Node.Map(id, home, keyed -> ((KeyedValue) keyed).value(), true));
    Declaration last = TableOperator.retaining(back(), (_, all) -> all.getLast(), keys, results);
    Node kept = add(topology, operator, "table", List.of(unwrapped), keys, last);
    return new BuiltTable<>(
        new BuiltKeyedStream<>(
            topology,
            kept,
            changes.keySerde(),
            Typing.known(results, "the results of " + operator)));
  }

  private String back() {
    return name + "-back";
  }

  private Node exchange(
      TopologyBuilder topology,
      BuiltKeyedStream<?, ?> changes,
      Mapper<Object, Object> foreignKey,
      Serde<Object> foreignKeys,
      Serde<Object> keys,
      Serde<Object> values) {
    Node records = topology.addKeyed(id -> new Node.WithMetadata(id, changes.node(), keys));
    Node keyed = topology.addKeyed(id -> new Node.Map(id, records, ForeignKeyJoin::withKey, true));
    return topology.addKeyed(id ->
        new Node.Exchange(
            id,
            name,
            keyed,
            value -> foreignKey.map(((KeyedValue) value).value()),
            foreignKeys,
            new KeyedValue.Format(keys, values)));
  }

  private static Object withKey(Object row) {
    dev.millrace.api.Record<?, ?> entry = (dev.millrace.api.Record<?, ?>) row;
    Object key = entry.key();
    if (key == null) {
      throw new IllegalArgumentException("An entry of a table has a key.");
    }
    return new KeyedValue(key, entry.value());
  }

  private Node add(
      TopologyBuilder topology,
      String operator,
      String what,
      List<Node> inputs,
      Serde<Object> keys,
      Declaration declared) {
    for (StoreSpec<?, ?> store : declared.stores()) {
      topology.names().takeStore(store.name(), operator);
    }
    String called = inputs.size() > 1 ? name : back();
    return topology.addKeyed(id -> new Node.Stateful(id, called, what, inputs, keys, declared));
  }

  private TableJoinOperator.Joiner joiner(
      Joiner<@Nullable Object, @Nullable Object, Object> joiner) {
    return values -> needsOther && values[1] == null ? null : joiner.join(values[0], values[1]);
  }
}
