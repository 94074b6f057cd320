package dev.millrace.internal.engine.topology;

import dev.millrace.api.Aggregate;
import dev.millrace.api.Grouped;
import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.Table;
import dev.millrace.api.Windowed;
import dev.millrace.api.Windows;
import dev.millrace.api.function.Aggregator;
import dev.millrace.api.function.Initializer;
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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The typed front of records with equal keys together.
///
/// @param place gives the records: behind the exchange, or what feeds a grouping by the key they
///   have
record Grouping<K, V>(Deferred<BuiltKeyedStream<K, V>> place) implements Grouped<K, V> {

  /// Groups by a new key, through an exchange.
  static <K, V> Grouped<K, V> through(
      TopologyBuilder topology,
      Node node,
      Typing typing,
      String name,
      Mapper<? super V, ? extends K> key) {
    return new Grouping<>(
        topology.defer(given -> exchange(topology, node, typing, name, key, given)));
  }

  private static <K, V> BuiltKeyedStream<K, V> exchange(
      TopologyBuilder topology,
      Node node,
      Typing typing,
      String name,
      Mapper<?, ?> key,
      @Nullable Serde<Object> given) {
    topology.names().takeOperator("groupBy", name);
    String operator = "groupBy '" + name + "'";
    Typing keys =
        new Typing(
            null,
            LambdaTypes.result(key),
            "keys",
            "Say it with .keyAs(serde) right behind %s, or register one for their type with topology.serde(type, serde)."
                .formatted(operator));
    Serde<Object> keySerde =
        (given == null ? keys : keys.with(given))
            .keySerde(topology.serdes(), operator + " groups by");
    Serde<Object> valueSerde =
        typing.valueSerde(topology.serdes(), operator + " sends", LambdaTypes.parameter(key, 0));
    Node exchange =
        topology.addKeyed(id ->
            new Node.Exchange(id, name, node, ExchangeKey.of("key", key), keySerde, valueSerde));
    return new BuiltKeyedStream<>(
        topology, exchange, Erased.typed(keySerde), typing.with(valueSerde));
  }

  @Override
  public Grouped<K, V> keyAs(Serde<K> serde) {
    if (!place.needsSerde()) {
      throw new InvalidTopologyException(
          "keyAs(serde) is said of records that keep their keys, and with them their serde '%s'. Use it behind groupBy(name, key)."
              .formatted(keySerde().id()));
    }
    place.give(serde, "keyAs");
    return this;
  }

  @Override
  public BuiltKeyedStream<K, V> stream() {
    return place.get();
  }

  TopologyBuilder topology() {
    return stream().topology();
  }

  Node node() {
    return stream().node();
  }

  Serde<K> keySerde() {
    return stream().keySerde();
  }

  /// What is known of the values.
  Typing typing() {
    return stream().typing();
  }

  @Override
  public Windowed<K, V> window(Windows windows) {
    return new WindowedGrouping<>(this, windows, null);
  }

  @Override
  public Table<K, Long> count(String name) {
    return table(given -> Computation.count(name, given), null);
  }

  @Override
  public Table<K, V> reduce(String name, Reducer<V> reducer) {
    return table(
        given -> Computation.reduce(topology().serdes(), name, reducer, typing(), given), null);
  }

  @Override
  public Table<K, V> latest(String name) {
    return table(
        given -> Computation.latest(topology().serdes(), name, typing(), given),
        History.of(node()));
  }

  @Override
  public <A> Table<K, A> aggregate(
      String name, Initializer<A> initializer, Aggregator<A, ? super V> aggregator) {
    return aggregate(name, Aggregate.of(initializer, aggregator));
  }

  @Override
  public <A> Table<K, A> aggregate(String name, Aggregate<A, V> aggregate) {
    return table(given -> Computation.aggregate(topology().serdes(), name, aggregate, given), null);
  }

  /// @param computation is given the serde of its results; null if it is to be found
  private <A> Table<K, A> table(
      Function<@Nullable Serde<Object>, Computation> computation, @Nullable History history) {
    return new BuiltTable<>(topology().defer(given -> changes(computation.apply(given))), history);
  }

  private <A> BuiltKeyedStream<K, A> changes(Computation computation) {
    topology().names().takeOperator(computation.kind(), computation.name());
    Declaration declared =
        topology()
            .atTicks(
                computation.name(),
                declare(computation).with(computation.parameters()),
                Erased.serde(keySerde()),
                () -> List.of(values(computation)));
    Node aggregate =
        topology()
            .addStateful(
                computation.operator(),
                computation.name(),
                computation.kind(),
                List.of(node()),
                keySerde(),
                declared);
    return new BuiltKeyedStream<>(
        topology(),
        aggregate,
        keySerde(),
        Typing.known(computation.valueSerde(), "the results of " + computation.operator()));
  }

  private Declaration declare(Computation computation) {
    Serde<Object> keys = Erased.serde(keySerde());
    long takenBackMillis = topology().correctsMillis(node());
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
    long keptMillis = topology().ticks() ? Declaration.FOREVER : takenBackMillis;
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
    return typing()
        .valueSerde(
            topology().serdes(),
            computation.operator() + " keeps",
            ShownType.unknown("a list of them shows nothing"));
  }

  @Override
  public KeyedStream<K, V> deduplicate(String name, Duration within) {
    return new Deduplication(name, within).of(this, null);
  }

  @Override
  public <A> KeyedStream<K, V> deduplicate(
      String name, Duration within, Mapper<? super V, ? extends A> attribute) {
    return new Deduplication(name, within).of(this, attribute);
  }
}
