package dev.millrace.internal.beam.operators;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.DoFnSchemaInformation;
import org.apache.beam.sdk.util.SerializableUtils;
import org.apache.beam.sdk.values.PCollectionView;
import org.apache.beam.sdk.values.TupleTag;
import org.apache.beam.sdk.values.WindowingStrategy;

/// A DoFn with all that it is told of its place in the pipeline.
///
/// @param step the full name of the transform
/// @param fn the DoFn in bytes, of which each task makes one
/// @param input the coder of its elements
/// @param outputs the coders of what it gives
/// @param main the output that has no name
/// @param others its other outputs
/// @param windowing of its input
/// @param sides the views that it reads, by the names that it has for them
public record DoFnSpec(
    String step,
    PipelineOptions options,
    byte[] fn,
    Coder<?> input,
    Map<TupleTag<?>, Coder<?>> outputs,
    TupleTag<?> main,
    List<TupleTag<?>> others,
    WindowingStrategy<?, ?> windowing,
    DoFnSchemaInformation schema,
    Map<String, PCollectionView<?>> sides) {

  /// Returns a new DoFn.
  @SuppressWarnings("unchecked")
  DoFn<Object, Object> newFn() {
    return (DoFn<Object, Object>) SerializableUtils.deserializeFromByteArray(fn, step);
  }

  /// Returns the views that it reads.
  Collection<PCollectionView<?>> views() {
    return sides.values();
  }

  @SuppressWarnings("unchecked")
  static <T> Coder<T> coder(Coder<?> any) {
    return (Coder<T>) any;
  }

  @SuppressWarnings("unchecked")
  static <T> TupleTag<T> tag(TupleTag<?> any) {
    return (TupleTag<T>) any;
  }
}
