package dev.millrace.internal.beam.portable.translate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.beam.model.pipeline.v1.RunnerApi;
import org.apache.beam.model.pipeline.v1.RunnerApi.ExecutableStagePayload;
import org.apache.beam.model.pipeline.v1.RunnerApi.PTransform;
import org.apache.beam.sdk.util.construction.PTransformTranslation;
import org.apache.beam.sdk.util.construction.graph.ExecutableStage;
import org.apache.beam.sdk.util.construction.graph.GreedyPipelineFuser;
import org.apache.beam.sdk.util.construction.graph.ProtoOverrides;
import org.apache.beam.sdk.util.construction.graph.SplittableParDoExpander;
import org.apache.beam.sdk.util.construction.graph.TrivialNativeTransformExpander;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.InvalidProtocolBufferException;

/// A pipeline whose transforms are put together to stages, each of which runs in one harness.
///
/// @param components what the parts refer to
/// @param parts in an order in which each comes after those that feed it: the same one whenever the
///   pipeline is built
record Fused(RunnerApi.Components components, List<Part> parts) {
  private static final Set<String> NATIVE =
      Set.of(
          PTransformTranslation.RESHUFFLE_URN,
          PTransformTranslation.GROUP_BY_KEY_TRANSFORM_URN,
          PTransformTranslation.IMPULSE_TRANSFORM_URN);

  /// A stage, or a transform of the runner.
  ///
  /// @param name the full name of the transform; that of the first transform of a stage
  record Part(String name, PTransform transform) {
    boolean isStage() {
      return transform.getSpec().getUrn().equals(ExecutableStage.URN);
    }

    ExecutableStage stage() {
      return ExecutableStage.fromPayload(payload(transform));
    }
  }

  /// Returns a pipeline as stages.
  ///
  /// @throws IllegalArgumentException if it is no valid pipeline
  static Fused of(RunnerApi.Pipeline pipeline) {
    RunnerApi.Pipeline expanded =
        ProtoOverrides.updateTransform(
            PTransformTranslation.PAR_DO_TRANSFORM_URN,
            pipeline,
            SplittableParDoExpander.createSizedReplacement());
    RunnerApi.Pipeline trimmed =
        TrivialNativeTransformExpander.forKnownUrns(Flattens.ours(expanded), NATIVE);
    boolean hasStages =
        trimmed.getComponents().getTransformsMap().values().stream()
            .anyMatch(each -> each.getSpec().getUrn().equals(ExecutableStage.URN));
    RunnerApi.Pipeline fused = hasStages ? trimmed : GreedyPipelineFuser.fuse(trimmed).toPipeline();
    List<Part> parts = new ArrayList<>();
    for (String id : fused.getRootTransformIdsList()) {
      PTransform transform = fused.getComponents().getTransformsOrThrow(id);
      parts.add(new Part(name(transform), transform));
    }
    return new Fused(fused.getComponents(), ordered(parts));
  }

  private static String name(PTransform transform) {
    if (!transform.getSpec().getUrn().equals(ExecutableStage.URN)) {
      return transform.getUniqueName();
    }
    ExecutableStagePayload payload = payload(transform);
    return payload.getTransformsList().stream()
        .map(payload.getComponents()::getTransformsOrThrow)
        .filter(each -> each.getInputsMap().containsValue(payload.getInput()))
        .map(PTransform::getUniqueName)
        .min(Comparator.naturalOrder())
        .orElse(transform.getUniqueName());
  }

  private static ExecutableStagePayload payload(PTransform stage) {
    try {
      return ExecutableStagePayload.parseFrom(stage.getSpec().getPayload());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException(
          "The stage '%s' cannot be read: %s".formatted(stage.getUniqueName(), e.getMessage()), e);
    }
  }

  /// Ids of stages differ each time a pipeline is built, so the order is that of names.
  private static List<Part> ordered(List<Part> parts) {
    Set<Part> left =
        new TreeSet<>(
            Comparator.comparing(Part::name)
                .thenComparing(each -> String.valueOf(each.transform().getInputsMap().values()))
                .thenComparing(each -> String.valueOf(each.transform().getOutputsMap().values()))
                .thenComparing(each -> each.transform().getUniqueName()));
    left.addAll(parts);
    Set<String> there = new LinkedHashSet<>();
    List<Part> ordered = new ArrayList<>();
    while (!left.isEmpty()) {
      Part next =
          left.stream()
              .filter(each -> there.containsAll(each.transform().getInputsMap().values()))
              .findFirst()
              .orElseThrow(
                  () -> new IllegalArgumentException("The pipeline feeds itself: " + left));
      left.remove(next);
      there.addAll(next.transform().getOutputsMap().values());
      ordered.add(next);
    }
    return ordered;
  }
}
