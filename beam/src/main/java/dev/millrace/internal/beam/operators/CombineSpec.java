package dev.millrace.internal.beam.operators;

import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.transforms.Combine.CombineFn;
import org.apache.beam.sdk.util.SerializableUtils;

/// A function that combines values, and the coder of its accumulators.
///
/// @param step the full name of the transform
/// @param fn the function in bytes, of which each task makes one
public record CombineSpec(String step, byte[] fn, Coder<Object> accumulators) {
  /// Returns the calls of a new function.
  CombineCalls calls() {
    return new CombineCalls(newFn());
  }

  /// Returns the same, for accumulators that come as the values.
  public CombineSpec ofAccumulators() {
    return new CombineSpec(
        step, SerializableUtils.serializeToByteArray(new MergingFn(newFn())), accumulators);
  }

  /// Returns a new function.
  @SuppressWarnings("unchecked")
  CombineFn<Object, Object, Object> newFn() {
    return (CombineFn<Object, Object, Object>) SerializableUtils.deserializeFromByteArray(fn, step);
  }
}
