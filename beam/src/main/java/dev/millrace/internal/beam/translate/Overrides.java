package dev.millrace.internal.beam.translate;

import java.util.List;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.runners.PTransformOverride;
import org.apache.beam.sdk.util.construction.DeduplicatedFlattenFactory;
import org.apache.beam.sdk.util.construction.PTransformMatchers;
import org.apache.beam.sdk.util.construction.SplittableParDo;

/// Replaces transforms of a pipeline by those that the translation knows.
public final class Overrides {
  private static final List<PTransformOverride> ALL =
      List.of(
          LimitedRead.override(),
          PTransformOverride.of(
              PTransformMatchers.flattenWithDuplicateInputs(), DeduplicatedFlattenFactory.create()),
          PTransformOverride.of(
              PTransformMatchers.splittableParDo(), new SplittableParDo.OverrideFactory<>()));

  private Overrides() {}

  /// Changes a pipeline.
  public static void apply(Pipeline pipeline) {
    pipeline.replaceAll(ALL);
    SplittableParDo.convertReadBasedSplittableDoFnsToPrimitiveReadsIfNecessary(pipeline);
  }
}
