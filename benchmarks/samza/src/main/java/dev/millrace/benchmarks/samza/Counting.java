package dev.millrace.benchmarks.samza;

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.apache.samza.context.Context;
import org.apache.samza.operators.KV;
import org.apache.samza.operators.functions.FlatMapFunction;
import org.jspecify.annotations.Nullable;

/// Counts by key, and answers records that ask. Samza copies it for each task by serializing it.
final class Counting implements FlatMapFunction<KV<byte[], byte[]>, KV<byte[], byte[]>> {
  private static final long serialVersionUID = 1;

  private transient @Nullable Answering answering;

  @Override
  public void init(Context context) {
    answering = new Answering();
    answering.open(context);
  }

  @Override
  public Collection<KV<byte[], byte[]>> apply(KV<byte[], byte[]> event) {
    Answering counts = Objects.requireNonNull(answering);
    byte[] answer = counts.take(event.getKey(), event.getValue());
    return answer == null ? List.of() : List.of(KV.of(event.getKey(), answer));
  }
}
