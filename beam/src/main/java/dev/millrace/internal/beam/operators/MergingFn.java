package dev.millrace.internal.beam.operators;

import java.util.Arrays;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.CoderRegistry;
import org.apache.beam.sdk.transforms.Combine.CombineFn;

/// Combines accumulators of another function as if they were values, with the same result.
final class MergingFn extends CombineFn<Object, Object, Object> {
  private static final long serialVersionUID = 1;

  private final CombineFn<Object, Object, Object> fn;
  private final Coder<Object> accumulators;

  MergingFn(CombineFn<Object, Object, Object> fn, Coder<Object> accumulators) {
    this.fn = fn;
    this.accumulators = accumulators;
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
  public Object compact(Object accumulator) {
    return fn.compact(accumulator);
  }

  @Override
  public Object extractOutput(Object accumulator) {
    return fn.extractOutput(accumulator);
  }

  @Override
  public Object defaultValue() {
    return fn.defaultValue();
  }

  @Override
  public Coder<Object> getAccumulatorCoder(CoderRegistry registry, Coder<Object> inputs) {
    return accumulators;
  }
}
