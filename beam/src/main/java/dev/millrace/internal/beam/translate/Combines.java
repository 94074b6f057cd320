package dev.millrace.internal.beam.translate;

import dev.millrace.internal.beam.operators.CombineSpec;
import org.apache.beam.sdk.coders.CannotProvideCoderException;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.runners.AppliedPTransform;
import org.apache.beam.sdk.transforms.Combine;
import org.apache.beam.sdk.transforms.Combine.CombineFn;
import org.apache.beam.sdk.util.SerializableUtils;
import org.apache.beam.sdk.util.construction.TransformInputs;
import org.apache.beam.sdk.values.PCollection;
import org.jspecify.annotations.Nullable;

/// Which combinations by key are done by accumulators.
final class Combines {
  private Combines() {}

  /// Returns what is combined; null if all values have to be grouped first: where the function
  /// reads views, or where nobody can write accumulators.
  @SuppressWarnings("unchecked")
  static @Nullable CombineSpec spec(
      AppliedPTransform<?, ?, ?> applied, Combine.PerKey<?, ?, ?> combine) {
    PCollection<?> input =
        (PCollection<?>) TransformInputs.nonAdditionalInputs(applied).iterator().next();
    if (!combine.getSideInputs().isEmpty()
        || !(combine.getFn() instanceof CombineFn<?, ?, ?> fn)
        || !(input.getCoder() instanceof KvCoder<?, ?> pairs)) {
      return null;
    }
    try {
      Coder<?> accumulators =
          ((CombineFn<Object, Object, Object>) fn)
              .getAccumulatorCoder(
                  input.getPipeline().getCoderRegistry(), Erased.coder(pairs.getValueCoder()));
      return new CombineSpec(
          applied.getFullName(),
          SerializableUtils.serializeToByteArray(fn),
          Erased.coder(accumulators));
    } catch (CannotProvideCoderException _) {
      return null;
    }
  }
}
