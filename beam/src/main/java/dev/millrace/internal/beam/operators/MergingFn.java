package dev.millrace.internal.beam.operators;

import java.util.Arrays;
import org.apache.beam.sdk.transforms.Combine.CombineFn;

/// Combines accumulators of another function as if they were values, with the same result.
final class MergingFn extends CombineFn<Object, Object, Object> {
  private static final long serialVersionUID = 1;

  private final CombineFn<Object, Object, Object> fn;

  MergingFn(CombineFn<Object, Object, Object> fn) {
    this.fn = fn;
  }

  @Override
  public Object createAccumulator() {
    return fn.createAccumulator();
  }

  @Override
  public Object addInput(Object accumulator, Object input) {
    return fn.mergeAccumulators(Arrays.asList(accumulator, input));
  }

  @Override
  public Object mergeAccumulators(Iterable<Object> all) {
    return fn.mergeAccumulators(all);
  }

  @Override
  public Object extractOutput(Object accumulator) {
    return fn.extractOutput(accumulator);
  }
}
