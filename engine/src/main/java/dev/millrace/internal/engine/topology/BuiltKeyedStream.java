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
import dev.millrace.api.With;
import dev.millrace.api.function.Initializer;
import dev.millrace.api.function.Joiner;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.function.Record;
import dev.millrace.api.serde.Serde;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The typed front of a node whose records are partitioned by their key.
final class BuiltKeyedStream<K, V> extends AnyStream<K, V, KeyedStream<K, V>>
    implements KeyedStream<K, V> {
  private final Deferred<Node> place;
  private final Serde<K> keySerde;

  /// @param place gives the node
  /// @param keySerde reads and writes the keys the records have here
  BuiltKeyedStream(
      TopologyBuilder topology, Deferred<Node> place, Serde<K> keySerde, Typing typing) {
    super(topology, typing);
    this.place = place;
    this.keySerde = keySerde;
  }

  BuiltKeyedStream(TopologyBuilder topology, Node node, Serde<K> keySerde, Typing typing) {
    this(topology, Deferred.none(node), keySerde, typing);
  }

  Serde<K> keySerde() {
    return keySerde;
  }

  @Override
  Node node() {
    return place.get();
  }

  @Override
  Serde<Object> keys() {
    return Erased.serde(keySerde);
  }

  @Override
  BuiltKeyedStream<K, V> of(Node next, Typing nextTyping) {
    return results(next, nextTyping);
  }

  /// Returns a stream with these keys.
  <R> BuiltKeyedStream<K, R> results(Node next, Typing results) {
    return new BuiltKeyedStream<>(topology(), next, keySerde, results);
  }

  @Override
  public KeyedStream<K, V> as(Serde<V> serde) {
    if (place.needsSerde()) {
      place.give(serde, "as");
    }
    return new BuiltKeyedStream<>(topology(), place, keySerde, typing().with(serde));
  }

  @Override
  public <R> KeyedStream<K, R> mapValues(Mapper<? super V, ? extends R> mapper) {
    return mapValues(mapper, typing().mapped("mapValues", mapper));
  }

  /// @param results what is known of them
  <R> KeyedStream<K, R> mapValues(Mapper<? super V, ? extends R> mapper, Typing results) {
    return results(add(id -> new Node.Map(id, node(), Erased.mapper(mapper), true)), results);
  }

  @Override
  public <R> KeyedStream<K, R> flatMapValues(Mapper<? super V, ? extends Iterable<R>> mapper) {
    Typing results = Typing.results("flatMapValues", LambdaTypes.resultElement(mapper));
    return results(add(id -> new Node.FlatMap(id, node(), Erased.toMany(mapper), true)), results);
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
    return of(add(id -> new Node.Sample(id, node(), share, null, null)), typing());
  }

  /// Returns the changes of a table, without those that others in the same batch replace.
  BuiltKeyedStream<K, V> conflated() {
    return of(add(id -> new Node.Conflate(id, node())), typing());
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
    topology().names().takeOperator("repartition", name);
    String operator = "repartition '" + name + "'";
    Typing.requireCanonical(operator + " sends", keySerde, "Use groupBy(name, key).keyAs(serde).");
    Serde<Object> values =
        typing()
            .valueSerde(
                topology().serdes(),
                operator + " sends",
                ShownType.unknown("nothing else shows them"));
    return through(name, keySerde, values, "");
  }

  /// Returns the records after an exchange.
  ///
  /// @param newKeys the serde their keys have there
  /// @param reason why, if the application did not ask for it
  BuiltKeyedStream<K, V> through(
      String name, Serde<K> newKeys, Serde<Object> values, String reason) {
    Serde<Object> reads = Output.sameFormat(keySerde, newKeys) ? null : keys();
    Node exchange =
        add(id ->
            Node.Exchange.ofOwnKeys(
                id, name, node(), reads, Erased.serde(newKeys), values, reason));
    return new BuiltKeyedStream<>(topology(), exchange, newKeys, typing().with(values));
  }

  @Override
  public Grouped<K, V> groupByKey() {
    Typing.requireCanonical(
        "groupByKey groups", keySerde, "Use groupBy(name, key).keyAs(serde) with one that does.");
    return new Grouping<>(Deferred.none(this));
  }

  @Override
  public KeyedStream<K, Record<K, V>> records() {
    return results(addRecords(), typing().ofRecords());
  }

  @Override
  public <R> KeyedStream<K, R> call(String name, Call<? super V, R> call) {
    return results(addCall(name, call), Calling.results(name, call));
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
    return results(addProcessor(name, processor, stores), Processing.results(name, processor));
  }
}
