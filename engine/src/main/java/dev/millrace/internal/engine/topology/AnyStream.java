package dev.millrace.internal.engine.topology;

import dev.millrace.api.BaseStream;
import dev.millrace.api.Branches;
import dev.millrace.api.Call;
import dev.millrace.api.Grouped;
import dev.millrace.api.Processor;
import dev.millrace.api.Share;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.Stream;
import dev.millrace.api.connector.Sink;
import dev.millrace.api.function.Consumer;
import dev.millrace.api.function.Initializer;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.function.Predicate;
import dev.millrace.api.serde.Serde;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/// The typed front of a node: what is the same with keys and without.
///
/// @param <S> the kind of stream
abstract class AnyStream<K, V, S extends BaseStream<K, V, S>> implements BaseStream<K, V, S> {
  private final TopologyBuilder topology;
  private final Typing typing;

  /// @param typing what is known of the values
  AnyStream(TopologyBuilder topology, Typing typing) {
    this.topology = topology;
    this.typing = typing;
  }

  final TopologyBuilder topology() {
    return topology;
  }

  final Typing typing() {
    return typing;
  }

  abstract Node node();

  /// Returns the serde of the keys; null if they stay bytes.
  abstract @Nullable Serde<Object> keys();

  /// Returns a stream of this kind, of these values.
  abstract S of(Node next, Typing nextTyping);

  /// Adds a node whose records are where those of this stream are.
  final <N extends Node> N add(IntFunction<N> withId) {
    return keys() == null ? topology.add(withId) : topology.addKeyed(withId);
  }

  private S same(IntFunction<Node> withId) {
    return of(add(withId), typing);
  }

  @Override
  public S as(Serde<V> serde) {
    return of(node(), typing.with(serde));
  }

  @Override
  public final S filter(Predicate<? super V> predicate) {
    return same(id -> new Node.Filter(id, node(), Erased.predicate(predicate)));
  }

  @Override
  public final Branches<S> branch(Predicate<? super V> predicate) {
    return new Branches<>(filter(predicate), filter(value -> !predicate.test(value)));
  }

  @Override
  public final <R> Stream<R> map(Mapper<? super V, ? extends R> mapper) {
    return map(mapper, typing.mapped("map", mapper));
  }

  /// @param results what is known of them
  final <R> Stream<R> map(Mapper<? super V, ? extends R> mapper, Typing results) {
    Node map = topology.add(id -> new Node.Map(id, node(), Erased.mapper(mapper), false));
    return new BuiltStream<>(topology, map, results);
  }

  @Override
  public final <R> Stream<R> flatMap(Mapper<? super V, ? extends Iterable<R>> mapper) {
    Node each = topology.add(id -> new Node.FlatMap(id, node(), Erased.toMany(mapper), false));
    return new BuiltStream<>(
        topology, each, Typing.results("flatMap", LambdaTypes.resultElement(mapper)));
  }

  @Override
  public final <A> S sample(double share, Mapper<? super V, ? extends A> by) {
    Share kept = Share.of(share);
    Serde<Object> serde =
        Typing.attributes("attributes", by).keySerde(topology.serdes(), "sample compares");
    return same(id -> new Node.Sample(id, node(), kept, Erased.mapper(by), serde));
  }

  @Override
  public final S peek(Consumer<? super V> consumer) {
    return same(id -> new Node.Peek(id, node(), Erased.consumer(consumer)));
  }

  @Override
  public final S withoutRetractions() {
    return same(id -> new Node.Additions(id, node()));
  }

  @Override
  public final <L> Grouped<L, V> groupBy(String name, Mapper<? super V, ? extends L> key) {
    return Grouping.through(topology, node(), typing, name, key);
  }

  /// Adds what gives each record as a whole.
  final Node addRecords() {
    return add(id -> new Node.WithMetadata(id, node(), keys()));
  }

  final Node addCall(String name, Call<? super V, ?> call) {
    return new Calling(topology, node(), typing, keys()).add(name, call);
  }

  final Node addProcessor(
      String name, Initializer<? extends Processor<K, V, ?>> processor, StoreSpec<?, ?>... stores) {
    return new Processing(topology, node(), keys()).add(name, processor, stores);
  }

  @Override
  public final void to(Sink<? super K, V> sink) {
    Output.add(topology, node(), sink, keys());
  }

  @Override
  public final void to(Mapper<? super V, String> route, List<? extends Sink<? super K, V>> sinks) {
    Output.add(topology, node(), route, sinks, keys());
  }

  @Override
  public final void to(Mapper<? super V, String> route, Sink<? super K, V> topics) {
    Output.add(topology, node(), route, Output.choices(topics), keys());
  }
}
