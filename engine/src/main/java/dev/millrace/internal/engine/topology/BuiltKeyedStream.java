package dev.millrace.internal.engine.topology;

import dev.millrace.api.Branches;
import dev.millrace.api.Call;
import dev.millrace.api.CoGrouped;
import dev.millrace.api.Grouped;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.Processor;
import dev.millrace.api.RemoteTable;
import dev.millrace.api.Share;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.Stream;
import dev.millrace.api.With;
import dev.millrace.api.connector.Sink;
import dev.millrace.api.function.Consumer;
import dev.millrace.api.function.Initializer;
import dev.millrace.api.function.Joiner;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.function.Predicate;
import dev.millrace.api.function.Record;
import dev.millrace.api.serde.Serde;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The typed front of a node whose records are partitioned by their key.
///
/// @param place gives the node
/// @param keySerde reads and writes the keys the records have here
/// @param typing what is known of the values
record BuiltKeyedStream<K, V>(
    TopologyBuilder topology, Deferred<Node> place, Serde<K> keySerde, Typing typing)
    implements KeyedStream<K, V> {

  BuiltKeyedStream(TopologyBuilder topology, Node node, Serde<K> keySerde, Typing typing) {
    this(topology, Deferred.none(node), keySerde, typing);
  }

  Node node() {
    return place.get();
  }

  @Override
  public KeyedStream<K, V> as(Serde<V> serde) {
    if (place.needsSerde()) {
      place.give(serde, "as");
    }
    return new BuiltKeyedStream<>(topology, place, keySerde, typing.with(serde));
  }

  @Override
  public KeyedStream<K, V> filter(Predicate<? super V> predicate) {
    return same(topology.addKeyed(id -> new Node.Filter(id, node(), Erased.predicate(predicate))));
  }

  @Override
  public Branches<KeyedStream<K, V>> branch(Predicate<? super V> predicate) {
    return new Branches<>(filter(predicate), filter(value -> !predicate.test(value)));
  }

  @Override
  public <R> KeyedStream<K, R> mapValues(Mapper<? super V, ? extends R> mapper) {
    return mapValues(mapper, typing.mapped("mapValues", mapper));
  }

  <R> KeyedStream<K, R> mapValues(Mapper<? super V, ? extends R> mapper, Typing results) {
    Node map = topology.addKeyed(id -> new Node.Map(id, node(), Erased.mapper(mapper), true));
    return new BuiltKeyedStream<>(topology, map, keySerde, results);
  }

  @Override
  public <R> Stream<R> map(Mapper<? super V, ? extends R> mapper) {
    return BuiltStream.map(topology, node(), mapper, typing.mapped("map", mapper));
  }

  @Override
  public <R> Stream<R> flatMap(Mapper<? super V, ? extends Iterable<R>> mapper) {
    return BuiltStream.flatMap(
        topology, node(), mapper, Typing.results("flatMap", LambdaTypes.resultElement(mapper)));
  }

  @Override
  public <R> KeyedStream<K, R> flatMapValues(Mapper<? super V, ? extends Iterable<R>> mapper) {
    Typing results = Typing.results("flatMapValues", LambdaTypes.resultElement(mapper));
    return flatMapValues(mapper, results);
  }

  private <R> KeyedStream<K, R> flatMapValues(Mapper<?, ?> mapper, Typing results) {
    Node each = topology.addKeyed(id -> new Node.FlatMap(id, node(), Erased.toMany(mapper), true));
    return new BuiltKeyedStream<>(topology, each, keySerde, results);
  }

  @Override
  public KeyedStream<K, V> sample(double share) {
    return sampled(Share.of(share));
  }

  @Override
  public Branches<KeyedStream<K, V>> branch(Share share) {
    return new Branches<>(sampled(share), sampled(share.rest()));
  }

  private KeyedStream<K, V> sampled(Share share) {
    return same(topology.addKeyed(id -> new Node.Sample(id, node(), share, null, null)));
  }

  @Override
  public <A> KeyedStream<K, V> sample(double share, Mapper<? super V, ? extends A> by) {
    Share kept = Share.of(share);
    Serde<Object> serde =
        Typing.attributes("attributes", by).keySerde(topology.serdes(), "sample compares");
    return same(
        topology.addKeyed(id -> new Node.Sample(id, node(), kept, Erased.mapper(by), serde)));
  }

  @Override
  public KeyedStream<K, V> peek(Consumer<? super V> consumer) {
    return same(topology.addKeyed(id -> new Node.Peek(id, node(), Erased.consumer(consumer))));
  }

  /// The changes of a table, less those that others in the same batch replace.
  BuiltKeyedStream<K, V> conflated() {
    Node.Conflate conflate = topology.addKeyed(id -> new Node.Conflate(id, node()));
    return new BuiltKeyedStream<>(topology, conflate, keySerde, typing);
  }

  @Override
  public KeyedStream<K, V> withoutRetractions() {
    return same(topology.addKeyed(id -> new Node.Additions(id, node())));
  }

  @Override
  public KeyedStream<K, V> merge(KeyedStream<K, V> other) {
    return KeyedMerge.of(this, other);
  }

  @Override
  public <W, R> KeyedStream<K, R> join(
      String name,
      With<? super K, ? super V, W> with,
      Joiner<? super V, ? super W, ? extends R> joiner) {
    return new DescribedJoin(name, true).of(this, with, joiner);
  }

  @Override
  public <W, R> KeyedStream<K, R> leftJoin(
      String name,
      With<? super K, ? super V, W> with,
      Joiner<? super V, ? super @Nullable W, ? extends R> joiner) {
    return new DescribedJoin(name, false).of(this, with, joiner);
  }

  @Override
  public <W, R> KeyedStream<K, R> outerJoin(
      String name,
      With.OfStream<? super K, W> with,
      Joiner<? super @Nullable V, ? super @Nullable W, ? extends R> joiner) {
    return DescribedJoin.outer(name, this, with, joiner);
  }

  @Override
  public CoGrouped<K> coGroup(KeyedStream<K, ?> other) {
    return new CoGrouping<K>(List.of(this)).and(other);
  }

  @Override
  public KeyedStream<K, V> repartition(String name) {
    topology.names().takeOperator("repartition", name);
    String operator = "repartition '" + name + "'";
    Typing.requireCanonical(operator + " sends", keySerde, "Use groupBy(name, key).keyAs(serde).");
    Serde<Object> values =
        typing.valueSerde(
            topology.serdes(), operator + " sends", ShownType.unknown("nothing else shows them"));
    return through(name, keySerde, values, "");
  }

  /// The same records behind an exchange.
  ///
  /// @param newKeys the serde their keys have there
  /// @param reason why, if the application did not ask for it
  BuiltKeyedStream<K, V> through(
      String name, Serde<K> newKeys, Serde<Object> values, String reason) {
    Serde<Object> reads = Output.sameFormat(keySerde, newKeys) ? null : Erased.serde(keySerde);
    Node exchange =
        topology.addKeyed(id ->
            Node.Exchange.ofOwnKeys(
                id, name, node(), reads, Erased.serde(newKeys), values, reason));
    return new BuiltKeyedStream<>(topology, exchange, newKeys, typing.with(values));
  }

  @Override
  public Grouped<K, V> groupByKey() {
    Typing.requireCanonical(
        "groupByKey groups", keySerde, "Use groupBy(name, key).keyAs(serde) with one that does.");
    return new Grouping<>(Deferred.none(this));
  }

  @Override
  public <L> Grouped<L, V> groupBy(String name, Mapper<? super V, ? extends L> key) {
    return Grouping.through(topology, node(), typing, name, key);
  }

  @Override
  public KeyedStream<K, Record<K, V>> records() {
    Serde<Object> keys = Erased.serde(keySerde);
    Node records = topology.addKeyed(id -> new Node.WithMetadata(id, node(), keys));
    return new BuiltKeyedStream<>(topology, records, keySerde, typing.ofRecords());
  }

  @Override
  public <R> KeyedStream<K, R> call(String name, Call<? super V, R> call) {
    Node called = new Calling(topology, node(), typing, Erased.serde(keySerde)).add(name, call);
    return new BuiltKeyedStream<>(topology, called, keySerde, Calling.results(name, call));
  }

  @Override
  public KeyedStream<K, V> put(String name, RemoteTable<K, V> table) {
    return new RemoteWriting(name, table).of(this, null);
  }

  @Override
  public <W> KeyedStream<K, V> put(
      String name, RemoteTable<K, W> table, Mapper<? super V, ? extends @Nullable W> value) {
    return new RemoteWriting(name, table).of(this, value);
  }

  @Override
  public <R> KeyedStream<K, R> process(
      String name, Initializer<? extends Processor<K, V, R>> processor, StoreSpec<?, ?>... stores) {
    Processing processing = new Processing(topology, node(), Erased.serde(keySerde));
    return new BuiltKeyedStream<>(
        topology,
        processing.add(name, processor, stores),
        keySerde,
        processing.results(name, processor));
  }

  @Override
  public void to(Sink<? super K, V> sink) {
    Output.add(topology, node(), sink, keySerde);
  }

  @Override
  public void to(Mapper<? super V, String> route, List<? extends Sink<? super K, V>> sinks) {
    Output.add(topology, node(), route, sinks, keySerde);
  }

  @Override
  public void to(Mapper<? super V, String> route, Sink<? super K, V> topics) {
    Output.add(topology, node(), route, Output.choices(topics), keySerde);
  }

  private KeyedStream<K, V> same(Node next) {
    return new BuiltKeyedStream<>(topology, next, keySerde, typing);
  }
}
