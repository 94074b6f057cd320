package dev.millrace.internal.beam.translate;

import dev.millrace.internal.beam.operators.DistinctOperator;
import dev.millrace.internal.beam.operators.ReadOperator;
import dev.millrace.internal.beam.operators.RunContext;
import dev.millrace.internal.engine.topology.Node;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.io.UnboundedSource;
import org.apache.beam.sdk.io.UnboundedSource.CheckpointMark;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.runners.AppliedPTransform;
import org.apache.beam.sdk.transforms.windowing.GlobalWindow;

/// Makes nodes of sources. Where a source asks for its elements to be told apart by ids, they go on
/// to the task that knows whether there was one with their id before.
///
/// @param options of the pipeline
record Reads(Graph graph, PipelineOptions options, RunContext run) {
  @SuppressWarnings("unchecked")
  Node of(
      AppliedPTransform<?, ?, ?> applied, UnboundedSource<?, ?> source, ReadOperator.Limit limit) {
    String name = graph.name(applied.getFullName());
    List<List<UnboundedSource<Object, CheckpointMark>>> parts = new ArrayList<>();
    for (int i = 0; i < graph.parallelism(); i++) {
      parts.add(new ArrayList<>());
    }
    int next = 0;
    for (UnboundedSource<?, ?> part : split(applied, source)) {
      parts.get(next++ % graph.parallelism()).add((UnboundedSource<Object, CheckpointMark>) part);
    }
    ReadOperator.Spec spec =
        new ReadOperator.Spec(name, applied.getFullName(), options, parts, limit);
    Node root = graph.root(name + "-root", 0);
    Node read = graph.operator(name, "read", List.of(root), ReadOperator.declare(spec, run));
    return source.requiresDeduping() ? distinct(name, read, source.getOutputCoder()) : read;
  }

  private List<? extends UnboundedSource<?, ?>> split(
      AppliedPTransform<?, ?, ?> applied, UnboundedSource<?, ?> source) {
    try (Closeable _ = run.metrics().of(applied.getFullName()).counting()) {
      return source.split(graph.parallelism(), options);
      // outermost: user code, which may throw whatever it likes
    } catch (Exception e) {
      throw new IllegalStateException(
          "The source of '%s' cannot be split: %s".formatted(applied.getFullName(), e.getMessage()),
          e);
    }
  }

  private Node distinct(String name, Node read, Coder<?> elements) {
    Node exchange =
        graph.exchange(
            name + "-by-id", read, null, ElementSerde.of(elements, GlobalWindow.Coder.INSTANCE));
    DistinctOperator.Spec spec = new DistinctOperator.Spec(name + "-distinct", run);
    return graph.operator(
        name + "-distinct", "distinct", List.of(exchange), DistinctOperator.declare(spec));
  }
}
