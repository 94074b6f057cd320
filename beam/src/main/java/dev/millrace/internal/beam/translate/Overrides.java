package dev.millrace.internal.beam.translate;

import java.util.List;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.options.ExperimentalOptions;
import org.apache.beam.sdk.options.PipelineOptions;
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

  /// Has transforms that can read in two ways read by splittable functions. The other way of
  /// KafkaIO calls what the clients of Kafka have no more, and reads nothing without a word.
  public static void prepare(PipelineOptions options) {
    ExperimentalOptions.addExperiment(options.as(ExperimentalOptions.class), "use_sdf_read");
  }

  /// Changes a pipeline. Whatever its options say, sources are read as such.
  public static void apply(Pipeline pipeline) {
    pipeline.replaceAll(ALL);
    SplittableParDo.convertReadBasedSplittableDoFnsToPrimitiveReads(pipeline);
  }
}
