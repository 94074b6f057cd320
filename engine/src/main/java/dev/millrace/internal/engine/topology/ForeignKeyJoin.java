package dev.millrace.internal.engine.topology;

import dev.millrace.api.Table;
import dev.millrace.api.function.Joiner;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.KeyedValue;
import dev.millrace.internal.engine.operators.Reference;
import dev.millrace.internal.engine.operators.join.ForeignKeyJoinOperator;
import dev.millrace.internal.engine.operators.table.TableOperator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Adds a join of a table with what its values refer to.
///
/// The entries of the first table go through an exchange to the task that has the key they refer
/// to, are joined there, and their results go back through another to the task of their own key. A
/// result may come back before the one it replaces is taken back; so the last step keeps all that
/// have come, and shows the last. An entry that refers to nothing, as its foreign key is null, has
/// no result in an inner join, and in a left one goes to any task to be joined with nothing.
///
/// @param join whose name is that of the first exchange, too
record ForeignKeyJoin(Join join) {

  /// @param given the serde of the results; null if it is to be found
  <K, V, F, W, R> BuiltKeyedStream<K, R> of(
      BuiltKeyedStream<K, V> changes,
      Table<F, W> other,
      Mapper<? super V, ? extends @Nullable F> foreignKey,
      Joiner<?, ?, ? extends R> joiner,
      @Nullable Serde<Object> given) {
    String operator = join.operator();
    BuiltKeyedStream<F, W> referred = BuiltTable.changes(other, operator);
    TopologyBuilder topology = changes.topology();
    topology.requireOwn(referred.topology(), operator);
    topology.names().takeOperator(join.kind(), join.name());
    topology.names().takeOperator(join.kind(), back());
    topology.names().takeOperator(join.kind(), Join.sideNames(join.name()).getLast());
    Serde<Object> keys = Erased.serde(changes.keySerde());
    Serde<Object> foreignKeys = Erased.serde(referred.keySerde());
    Serde<Object> values = join.values(changes, "sends");
    Serde<Object> results =
        (given == null ? join.results(joiner) : join.results(joiner).with(given))
            .valueSerde(
                topology.serdes(),
                operator + " sends",
                ShownType.unknown("nothing else shows them"));
    Node there = exchange(topology, changes, Erased.mapper(foreignKey), foreignKeys, keys, values);
    Serde<Object> referredValues = join.values(referred, "keeps");
    Declaration joins =
        topology.atTicks(
            join.name(),
            ForeignKeyJoinOperator.declare(
                    join.name(),
                    foreignKeys,
                    keys,
                    List.of(values, referredValues),
                    join.function(joiner))
                .with(join.parameters()),
            foreignKeys,
            () -> List.of(references(keys, values), referredValues));
    topology.takeStores(operator, joins);
    Node joined =
        topology.addKeyed(id ->
            new Node.Stateful(
                id,
                join.name(),
                join.kind(),
                List.of(there, referred.node()),
                foreignKeys,
                joins,
                List.of(Optional.empty(), Optional.of(referredValues))));
    Node kept = home(topology, joined, keys, results);
    return new BuiltKeyedStream<>(
        topology, kept, changes.keySerde(), Typing.known(results, "the results of " + operator));
  }

  /// Results on their way back to the tasks of their own keys.
  private Node home(
      TopologyBuilder topology, Node joined, Serde<Object> keys, Serde<Object> results) {
    Node home =
        topology.addKeyed(id ->
            new Node.Exchange(
                id,
                back(),
                joined,
                ExchangeKey.own(keyed -> ((KeyedValue) keyed).key()),
                keys,
                new KeyedValue.Format(keys, results)));
    Node unwrapped =
        topology.addKeyed(
            id -> new Node.Map(id, home, keyed -> ((KeyedValue) keyed).value(), true));
    Declaration last =
        topology.atTicks(
            back(),
            TableOperator.retaining(back(), (_, all) -> all.getLast(), keys, results),
            keys,
            () -> List.of(results));
    return topology.addStateful(join.operator(), back(), "table", List.of(unwrapped), keys, last);
  }

  private String back() {
    return join.name() + "-back";
  }

  private Node exchange(
      TopologyBuilder topology,
      BuiltKeyedStream<?, ?> changes,
      Mapper<Object, Object> foreignKey,
      Serde<Object> foreignKeys,
      Serde<Object> keys,
      Serde<Object> values) {
    Node records = topology.addKeyed(id -> new Node.WithMetadata(id, changes.node(), keys));
    Node references =
        topology.addKeyed(
            id -> new Node.Map(id, records, entry -> reference(entry, foreignKey), true));
    Node sent =
        join.needsRight()
            ? topology.addKeyed(
                id -> new Node.Filter(id, references, each -> ((Reference) each).refers()))
            : references;
    return topology.addKeyed(id ->
        new Node.Exchange(
            id,
            join.name(),
            sent,
            new ExchangeKey(
                each -> ((Reference) each).destination(),
                ExchangeKey.of("foreign key", foreignKey).parameters()),
            new Reference.Destinations(foreignKeys, keys),
            references(keys, values)));
  }

  private static Serde<Object> references(Serde<Object> keys, Serde<Object> values) {
    return new Reference.Format(new KeyedValue.Format(keys, values));
  }

  private static Object reference(Object row, Mapper<Object, Object> foreignKey) {
    dev.millrace.api.function.Record<?, ?> entry = (dev.millrace.api.function.Record<?, ?>) row;
    Object key = entry.key();
    if (key == null) {
      throw new IllegalArgumentException("An entry of a table has a key.");
    }
    return Reference.of(key, entry.value(), foreignKey.map(entry.value()));
  }
}
