package dev.millrace.internal.engine.topology;

import dev.millrace.api.Call;
import dev.millrace.api.Processor;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.Stream;
import dev.millrace.api.With;
import dev.millrace.api.function.Initializer;
import dev.millrace.api.function.Joiner;
import dev.millrace.api.function.Record;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import org.jspecify.annotations.Nullable;

/// The typed front of a node whose records have no key that counts.
final class BuiltStream<V> extends AnyStream<Bytes, V, Stream<V>> implements Stream<V> {
  private final Node node;

  BuiltStream(TopologyBuilder topology, Node node, Typing typing) {
    super(topology, typing);
    this.node = node;
  }

  @Override
  Node node() {
    return node;
  }

  @Override
  @Nullable Serde<Object> keys() {
    return null;
  }

  @Override
  Stream<V> of(Node next, Typing nextTyping) {
    return results(next, nextTyping);
  }

  private <R> Stream<R> results(Node next, Typing results) {
    return new BuiltStream<>(topology(), next, results);
  }

  @Override
  public Stream<V> merge(Stream<V> other) {
    if (!(other instanceof BuiltStream<V> right)) {
      throw TopologyBuilder.foreign("merge");
    }
    topology().requireOwn(right.topology(), "merge");
    Node merge = topology().add(id -> new Node.Merge(id, node, right.node));
    return results(merge, typing().or(right.typing()));
  }

  @Override
  public <W, R> Stream<R> join(
      String name,
      With<? super Bytes, ? super V, W> with,
      Joiner<? super V, ? super W, ? extends R> joiner) {
    return new DescribedJoin(name, true).of(this, with, joiner);
  }

  @Override
  public <W, R> Stream<R> leftJoin(
      String name,
      With<? super Bytes, ? super V, W> with,
      Joiner<? super V, ? super @Nullable W, ? extends R> joiner) {
    return new DescribedJoin(name, false).of(this, with, joiner);
  }

  @Override
  public Stream<Record<Bytes, V>> records() {
    return results(addRecords(), typing().ofRecords());
  }

  @Override
  public <R> Stream<R> call(String name, Call<? super V, R> call) {
    return results(addCall(name, call), Calling.results(name, call));
  }

  @Override
  public <R> Stream<R> process(
      String name,
      Initializer<? extends Processor<Bytes, V, R>> processor,
      StoreSpec<?, ?>... stores) {
    return results(addProcessor(name, processor, stores), Processing.results(name, processor));
  }
}
