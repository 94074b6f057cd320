package dev.millrace.internal.beam.portable.translate;

import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.beam.model.pipeline.v1.RunnerApi;
import org.apache.beam.model.pipeline.v1.RunnerApi.PTransform;
import org.apache.beam.sdk.util.construction.PTransformTranslation;

/// Has the runner put collections together. Beam's fuser has harnesses do it where it can, which it
/// gets wrong where something else reads one of the collections, too; and the elements of all of
/// them must then have one coder. Here, a harness writes elements in the coder of the result first
/// where they have another one.
final class Flattens {
  /// What a flatten is called that the runner does.
  static final String URN = "dev.millrace:flatten:v1";

  private Flattens() {}

  /// Returns a pipeline whose flattens are the runner's.
  static RunnerApi.Pipeline ours(RunnerApi.Pipeline pipeline) {
    RunnerApi.Pipeline.Builder changed = pipeline.toBuilder();
    RunnerApi.Components.Builder components = changed.getComponentsBuilder();
    new TreeMap<>(pipeline.getComponents().getTransformsMap())
        .forEach((id, transform) -> {
          if (transform.getSpec().getUrn().equals(PTransformTranslation.FLATTEN_TRANSFORM_URN)) {
            components.putTransforms(id, ours(id, transform, components));
          }
        });
    return changed.build();
  }

  private static PTransform ours(
      String id, PTransform flatten, RunnerApi.Components.Builder components) {
    PTransform.Builder ours = flatten.toBuilder().clearEnvironmentId();
    ours.getSpecBuilder().setUrn(URN);
    String output = flatten.getOutputsMap().values().iterator().next();
    String coder = components.getPcollectionsOrThrow(output).getCoderId();
    for (Map.Entry<String, String> each : new TreeMap<>(flatten.getInputsMap()).entrySet()) {
      RunnerApi.PCollection input = components.getPcollectionsOrThrow(each.getValue());
      if (!input.getCoderId().equals(coder)) {
        String written = id + "/written/" + each.getKey();
        components.putPcollections(
            written,
            input.toBuilder()
                .setUniqueName(flatten.getUniqueName() + "/Written." + each.getKey())
                .setCoderId(coder)
                .build());
        components.putTransforms(
            written, writing(flatten, each.getKey(), each.getValue(), written, components));
        ours.putInputs(each.getKey(), written);
      }
    }
    return ours.build();
  }

  /// Returns what writes elements in another coder: a flatten of one collection in a harness.
  private static PTransform writing(
      PTransform flatten,
      String name,
      String from,
      String to,
      RunnerApi.Components.Builder components) {
    return PTransform.newBuilder()
        .setUniqueName(flatten.getUniqueName() + "/Write." + name)
        .setSpec(
            RunnerApi.FunctionSpec.newBuilder().setUrn(PTransformTranslation.FLATTEN_TRANSFORM_URN))
        .putInputs("0", from)
        .putOutputs("0", to)
        .setEnvironmentId(environment(flatten, from, components))
        .build();
  }

  /// Returns the environment that knows the elements: that of the transform that gives them, if it
  /// has one.
  private static String environment(
      PTransform flatten, String from, RunnerApi.Components.Builder components) {
    for (PTransform each : components.getTransformsMap().values()) {
      if (each.getSubtransformsCount() == 0
          && each.getOutputsMap().containsValue(from)
          && !each.getEnvironmentId().isEmpty()) {
        return each.getEnvironmentId();
      }
    }
    return flatten.getEnvironmentId().isEmpty()
        ? new TreeSet<>(components.getEnvironmentsMap().keySet()).first()
        : flatten.getEnvironmentId();
  }
}
