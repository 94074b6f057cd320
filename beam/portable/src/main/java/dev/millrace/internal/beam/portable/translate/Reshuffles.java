package dev.millrace.internal.beam.portable.translate;

import org.apache.beam.model.pipeline.v1.RunnerApi;
import org.apache.beam.sdk.util.construction.NativeTransforms.IsNativeTransform;
import org.apache.beam.sdk.util.construction.PTransformTranslation;

/// Tells Beam that a reshuffle is one transform for this runner; found by Beam itself.
public final class Reshuffles implements IsNativeTransform {
  @Override
  public boolean test(RunnerApi.PTransform transform) {
    return transform.getSpec().getUrn().equals(PTransformTranslation.RESHUFFLE_URN);
  }
}
