package dev.millrace.api;

import dev.millrace.api.function.Initializer;
import dev.millrace.api.function.Joiner;
import dev.millrace.api.function.Record;
import dev.millrace.api.serde.Bytes;
import org.jspecify.annotations.Nullable;

/// A stream whose records have no key, or one that does not decide their partition: it stays the
/// bytes that it is. See [BaseStream] for what holds of every stream.
public interface Stream<V> extends BaseStream<Bytes, V, Stream<V>> {

  @Override
  <W, R> Stream<R> join(
      String name,
      With<? super Bytes, ? super V, W> with,
      Joiner<? super V, ? super W, ? extends R> joiner);

  @Override
  <W, R> Stream<R> leftJoin(
      String name,
      With<? super Bytes, ? super V, W> with,
      Joiner<? super V, ? super @Nullable W, ? extends R> joiner);

  @Override
  Stream<Record<Bytes, V>> records();

  @Override
  <R> Stream<R> call(String name, Call<? super V, R> call);

  @Override
  <R> Stream<R> process(
      String name,
      Initializer<? extends Processor<Bytes, V, R>> processor,
      StoreSpec<?, ?>... stores);
}
