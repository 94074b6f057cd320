package dev.millrace.internal.beam.portable.translate;

import org.apache.beam.model.pipeline.v1.RunnerApi;
import org.apache.beam.sdk.util.construction.NativeTransforms.IsNativeTransform;
import org.apache.beam.sdk.util.construction.PTransformTranslation;

/// Tells Beam which transforms the runner does besides those that every runner does; found by Beam
/// itself.
public final class RunnerTransforms implements IsNativeTransform {
  @Override
  public boolean test(RunnerApi.PTransform transform) {
    String urn = transform.getSpec().getUrn();
    return urn.equals(PTransformTranslation.RESHUFFLE_URN) || urn.equals(Flattens.URN);
  }
}
