package dev.millrace.internal.engine.topology;

import dev.millrace.api.Aggregate;
import dev.millrace.api.Grouped;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.ProcessorSupplier;
import dev.millrace.api.RemoteTable;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.Table;
import dev.millrace.api.Windowed;
import dev.millrace.api.Windows;
import dev.millrace.api.function.Folder;
import dev.millrace.api.function.Initial;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.function.Reducer;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.Aggregation;
import dev.millrace.internal.engine.operators.Combiner;
import dev.millrace.internal.engine.operators.Declaration;
import dev.millrace.internal.engine.operators.table.AggregateOperator;
import dev.millrace.internal.engine.operators.table.OrderedTableOperator;
import dev.millrace.internal.engine.operators.table.TableOperator;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The typed front of records with equal keys together.
///
/// @param node the exchange, or what feeds a grouping by the key the records have
/// @param typing what is known of the values
record Grouping<K, V>(TopologyBuilder topology, Node node, Serde<K> keySerde, Typing typing)
    implements Grouped<K, V> {

  /// Groups by a new key, through an exchange.
  static <K, V> Grouped<K, V> through(
      TopologyBuilder topology,
      Node node,
      Typing typing,
      String name,
      Mapper<? super V, ? extends K> key,
      @Nullable Serde<K> given) {
    topology.names().takeOperator("groupBy", name);
    String operator = "groupBy '" + name + "'";
    Typing keys = keys(operator, key, given);
    Serde<Object> keySerde = keys.keySerde(operator + " groups by");
    Serde<Object> valueSerde =
        typing.valueSerde(operator + " sends", LambdaTypes.parameter(key, 0));
    Node exchange =
        topology.addKeyed(id ->
            new Node.Exchange(id, name, node, ExchangeKey.of("key", key), keySerde, valueSerde));
    return new Grouping<>(topology, exchange, Erased.typed(keySerde), typing.with(valueSerde));
  }

  private static Typing keys(String operator, Mapper<?, ?> key, @Nullable Serde<?> given) {
    Typing keys =
        new Typing(
            null,
            LambdaTypes.result(key),
            "keys",
            "Add the keys' serde as the last argument of " + operator + ".");
    return given == null ? keys : keys.with(given);
  }

  @Override
  public Windowed<K, V> window(Windows windows) {
    return new WindowedGrouping<>(this, windows, null);
  }

  @Override
  public Table<K, Long> count(String name) {
    return table(Computation.count(name));
  }

  @Override
  public Table<K, V> reduce(String name, Reducer<V> reducer) {
    return table(Computation.reduce(name, reducer, typing));
  }

  @Override
  public Table<K, V> latest(String name) {
    return new BuiltTable<>(changes(Computation.latest(name, typing)), History.of(node));
  }

  @Override
  public <A> Table<K, A> aggregate(String name, Initial<A> initial, Folder<A, ? super V> folder) {
    return table(Computation.aggregate(name, Aggregate.of(initial, folder), null));
  }

  @Override
  public <A> Table<K, A> aggregate(
      String name, Initial<A> initial, Folder<A, ? super V> folder, Serde<A> serde) {
    return table(Computation.aggregate(name, Aggregate.of(initial, folder), serde));
  }

  @Override
  public <A> Table<K, A> aggregate(String name, Aggregate<A, V> aggregate) {
    return table(Computation.aggregate(name, aggregate, null));
  }

  @Override
  public <A> Table<K, A> aggregate(String name, Aggregate<A, V> aggregate, Serde<A> serde) {
    return table(Computation.aggregate(name, aggregate, serde));
  }

  private <A> Table<K, A> table(Computation computation) {
    return new BuiltTable<>(changes(computation));
  }

  private <A> BuiltKeyedStream<K, A> changes(Computation computation) {
    topology.names().takeOperator(computation.kind(), computation.name());
    Declaration declared =
        topology.atTicks(
            computation.name(),
            declare(computation).with(computation.parameters()),
            Erased.serde(keySerde),
            () -> List.of(values(computation)));
    Node aggregate =
        topology.addStateful(
            computation.operator(),
            computation.name(),
            computation.kind(),
            List.of(node),
            keySerde,
            declared);
    return new BuiltKeyedStream<>(
        topology,
        aggregate,
        keySerde,
        Typing.known(computation.valueSerde(), "the results of " + computation.operator()));
  }

  private Declaration declare(Computation computation) {
    Serde<Object> keys = Erased.serde(keySerde);
    long takenBackMillis = topology.correctsMillis(node);
    if (takenBackMillis == 0) {
      return ofRows(computation, keys);
    }
    if (computation.aggregation().removes()) {
      return TableOperator.folding(
          computation.name(),
          computation.aggregation().ofChangingRows(),
          keys,
          computation.valueSerde());
    }
    Serde<Object> values = values(computation);
    if (takenBackMillis >= Declaration.FOREVER) {
      // Changes of tables take values back at the times of those that follow them.
      return TableOperator.retaining(computation.name(), computation.ofAll(), keys, values);
    }
    if (!computation.isLatest()) {
      return OrderedTableOperator.retaining(computation.name(), computation.ofAll(), keys, values);
    }
    // At a tick a row that is late gets another time.
    long keptMillis = topology.ticks() ? Declaration.FOREVER : takenBackMillis;
    return OrderedTableOperator.latest(computation.name(), keptMillis, keys, values);
  }

  private static Declaration ofRows(Computation computation, Serde<Object> keys) {
    String name = computation.name();
    Aggregation aggregation = computation.aggregation();
    Serde<Object> results = computation.valueSerde();
    Declaration declared = AggregateOperator.declare(name, aggregation, keys, results);
    if (!aggregation.merges()) {
      return declared;
    }
    Declaration ofPartials =
        AggregateOperator.declare(name, aggregation.ofPartials(), keys, results);
    return declared.combined(Combiner.ofTable(aggregation, results, ofPartials));
  }

  /// The serde of the rows, where they are kept.
  private Serde<Object> values(Computation computation) {
    return typing.valueSerde(
        computation.operator() + " keeps", ShownType.unknown("a list of them shows nothing"));
  }

  @Override
  public KeyedStream<K, V> deduplicate(String name, Duration within) {
    return new Deduplication(name, within).of(this, null, null);
  }

  @Override
  public <A> KeyedStream<K, V> deduplicate(
      String name, Duration within, Mapper<? super V, ? extends A> attribute) {
    return new Deduplication(name, within).of(this, attribute, null);
  }

  @Override
  public <A> KeyedStream<K, V> deduplicate(
      String name, Duration within, Mapper<? super V, ? extends A> attribute, Serde<A> serde) {
    return new Deduplication(name, within).of(this, attribute, serde);
  }

  @Override
  public KeyedStream<K, V> put(String name, RemoteTable<K, V> table) {
    return stream().put(name, table);
  }

  @Override
  public <W> KeyedStream<K, V> put(
      String name, RemoteTable<K, W> table, Mapper<? super V, ? extends @Nullable W> value) {
    return stream().put(name, table, value);
  }

  @Override
  public <R> KeyedStream<K, R> process(
      String name, ProcessorSupplier<K, V, R> processor, StoreSpec<?, ?>... stores) {
    return stream().process(name, processor, stores);
  }

  @Override
  public KeyedStream<K, V> stream() {
    return new BuiltKeyedStream<>(topology, node, keySerde, typing);
  }
}
