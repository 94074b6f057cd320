package dev.millrace.internal.engine.topology;

import dev.millrace.api.Branches;
import dev.millrace.api.Call;
import dev.millrace.api.Grouped;
import dev.millrace.api.Processor;
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
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The typed front of a node whose records have no key that counts.
///
/// @param typing what is known of the values
record BuiltStream<V>(TopologyBuilder topology, Node node, Typing typing) implements Stream<V> {

  @Override
  public Stream<V> as(Serde<V> serde) {
    return new BuiltStream<>(topology, node, typing.with(serde));
  }

  @Override
  public Stream<V> filter(Predicate<? super V> predicate) {
    return same(topology.add(id -> new Node.Filter(id, node, Erased.predicate(predicate))));
  }

  @Override
  public Branches<Stream<V>> branch(Predicate<? super V> predicate) {
    return new Branches<>(filter(predicate), filter(value -> !predicate.test(value)));
  }

  @Override
  public <R> Stream<R> map(Mapper<? super V, ? extends R> mapper) {
    return map(topology, node, mapper, typing.mapped("map", mapper));
  }

  static <R> Stream<R> map(
      TopologyBuilder topology, Node node, Mapper<?, ? extends R> mapper, Typing results) {
    Node map = topology.add(id -> new Node.Map(id, node, Erased.mapper(mapper), false));
    return new BuiltStream<>(topology, map, results);
  }

  @Override
  public <R> Stream<R> flatMap(Mapper<? super V, ? extends Iterable<R>> mapper) {
    return flatMap(
        topology, node, mapper, Typing.results("flatMap", LambdaTypes.resultElement(mapper)));
  }

  static <R> Stream<R> flatMap(
      TopologyBuilder topology,
      Node node,
      Mapper<?, ? extends Iterable<R>> mapper,
      Typing results) {
    Node flatMap = topology.add(id -> new Node.FlatMap(id, node, Erased.toMany(mapper), false));
    return new BuiltStream<>(topology, flatMap, results);
  }

  @Override
  public <A> Stream<V> sample(double share, Mapper<? super V, ? extends A> by) {
    Share kept = Share.of(share);
    Serde<Object> serde =
        Typing.attributes("attributes", by).keySerde(topology.serdes(), "sample compares");
    return same(topology.add(id -> new Node.Sample(id, node, kept, Erased.mapper(by), serde)));
  }

  @Override
  public Stream<V> peek(Consumer<? super V> consumer) {
    return same(topology.add(id -> new Node.Peek(id, node, Erased.consumer(consumer))));
  }

  @Override
  public Stream<V> withoutRetractions() {
    return same(topology.add(id -> new Node.Additions(id, node)));
  }

  @Override
  public Stream<V> merge(Stream<V> other) {
    if (!(other instanceof BuiltStream<V> right)) {
      throw TopologyBuilder.foreign("merge");
    }
    topology.requireOwn(right.topology, "merge");
    Node merge = topology.add(id -> new Node.Merge(id, node, right.node));
    return new BuiltStream<>(topology, merge, typing.or(right.typing));
  }

  @Override
  public <W, R> Stream<R> join(
      String name,
      With.Lookup<? super V, W> with,
      Joiner<? super V, ? super W, ? extends R> joiner) {
    return new DescribedJoin(name, true).of(this, with, joiner);
  }

  @Override
  public <W, R> Stream<R> leftJoin(
      String name,
      With.Lookup<? super V, W> with,
      Joiner<? super V, ? super @Nullable W, ? extends R> joiner) {
    return new DescribedJoin(name, false).of(this, with, joiner);
  }

  @Override
  public <K> Grouped<K, V> groupBy(String name, Mapper<? super V, ? extends K> key) {
    return Grouping.through(topology, node, typing, name, key);
  }

  @Override
  public Stream<Record<Bytes, V>> records() {
    return new BuiltStream<>(
        topology, topology.add(id -> new Node.WithMetadata(id, node, null)), typing.ofRecords());
  }

  @Override
  public <R> Stream<R> call(String name, Call<? super V, R> call) {
    Node called = new Calling(topology, node, typing, null).add(name, call);
    return new BuiltStream<>(topology, called, Calling.results(name, call));
  }

  @Override
  public <R> Stream<R> process(
      String name,
      Initializer<? extends Processor<Bytes, V, R>> processor,
      StoreSpec<?, ?>... stores) {
    Processing processing = new Processing(topology, node, null);
    return new BuiltStream<>(
        topology, processing.add(name, processor, stores), processing.results(name, processor));
  }

  @Override
  public void to(Mapper<? super V, String> route, List<? extends Sink<? super Bytes, V>> sinks) {
    Output.add(topology, node, route, sinks, null);
  }

  @Override
  public void to(Mapper<? super V, String> route, Sink<? super Bytes, V> topics) {
    Output.add(topology, node, route, Output.choices(topics), null);
  }

  @Override
  public void to(Sink<? super Bytes, V> sink) {
    Output.add(topology, node, sink, null);
  }

  private Stream<V> same(Node next) {
    return new BuiltStream<>(topology, next, typing);
  }
}
