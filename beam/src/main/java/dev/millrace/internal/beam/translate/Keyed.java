package dev.millrace.internal.beam.translate;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.beam.operators.CombineSpec;
import dev.millrace.internal.beam.operators.EndedWindowsOperator;
import dev.millrace.internal.beam.operators.Envelope;
import dev.millrace.internal.beam.operators.GroupOperator;
import dev.millrace.internal.beam.operators.PreCombineOperator;
import dev.millrace.internal.beam.operators.RunContext;
import dev.millrace.internal.beam.state.Coding;
import dev.millrace.internal.engine.topology.Node;
import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.values.KV;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowingStrategy;
import org.jspecify.annotations.Nullable;

/// Makes nodes of what is done by keys: pairs are sent to the tasks of their keys.
///
/// @param options of the pipeline
public record Keyed(Graph graph, PipelineOptions options, RunContext run) {
  /// Sends pairs.
  ///
  /// @param keys the coder of keys
  public Node send(String name, Node from, Coder<?> keys, Serde<Object> serde) {
    Coder<Object> erased = Erased.coder(keys);
    return graph.exchange(name + "-by-key", from, row -> key(erased, row), serde);
  }

  private static Bytes key(Coder<Object> keys, Object row) {
    return Coding.bytes(keys, ((KV<?, ?>) ((WindowedValue<?>) row).getValue()).getKey());
  }

  /// Sends pairs, and leaves it at that.
  Node redistribute(
      String name, Node from, KvCoder<?, ?> pairs, Coder<? extends BoundedWindow> windows) {
    return send(name, from, pairs.getKeyCoder(), ElementSerde.of(pairs, windows));
  }

  /// Groups the values of each key.
  ///
  /// @param step the full name of the transform
  public Node group(
      String name, String step, Node from, KvCoder<?, ?> pairs, WindowingStrategy<?, ?> windowing) {
    GroupOperator.Spec spec = spec(name, step, pairs, windowing, null);
    PairSerde serde = PairSerde.of(pairs, windowing.getWindowFn().windowCoder());
    if (EndedWindowsOperator.canDo(windowing)) {
      Node sent = send(name, from, pairs.getKeyCoder(), new RawPairSerde(serde));
      return graph.operator(name, "group", List.of(sent), EndedWindowsOperator.grouping(spec, run));
    }
    Node sent = send(name, from, pairs.getKeyCoder(), serde);
    return graph.operator(name, "group", List.of(sent), GroupOperator.declare(spec, run));
  }

  private GroupOperator.Spec spec(
      String name,
      String step,
      KvCoder<?, ?> pairs,
      WindowingStrategy<?, ?> windowing,
      @Nullable CombineSpec combine) {
    return new GroupOperator.Spec(
        name, step, options, pairs.getKeyCoder(), pairs.getValueCoder(), windowing, combine);
  }

  /// Combines the values of each key: where they may come together, also before they are sent.
  Node combine(
      String name,
      CombineSpec combine,
      Node from,
      KvCoder<?, ?> pairs,
      WindowingStrategy<?, ?> windowing) {
    Coder<?> keys = pairs.getKeyCoder();
    Coder<? extends BoundedWindow> windows = windowing.getWindowFn().windowCoder();
    boolean isEnded = EndedWindowsOperator.canDo(windowing);
    if (!isEnded && !PreCombineOperator.canDo(windowing)) {
      Node sent = send(name, from, keys, PairSerde.of(pairs, windows));
      return combined(name, combine, sent, pairs, windowing);
    }
    Node before =
        graph.operator(
            name + "-before",
            "combine",
            List.of(from),
            PreCombineOperator.declare(combine, keys, run));
    PairSerde accumulators = new PairSerde(new Envelope(windows), combine.accumulators());
    Serde<Object> serde = isEnded ? new RawPairSerde(accumulators) : accumulators;
    Node sent = graph.exchange(name + "-by-key", before, null, serde);
    return isEnded
        ? graph.operator(
            name,
            "combine",
            List.of(sent),
            EndedWindowsOperator.combining(name, keys, windowing, combine, run))
        : combined(name, combine.ofAccumulators(), sent, pairs, windowing);
  }

  private Node combined(
      String name,
      CombineSpec combine,
      Node sent,
      KvCoder<?, ?> pairs,
      WindowingStrategy<?, ?> windowing) {
    GroupOperator.Spec spec = spec(name, combine.step(), pairs, windowing, combine);
    return graph.operator(name, "combine", List.of(sent), GroupOperator.declare(spec, run));
  }
}
