package dev.millrace.internal.beam.portable.translate;

import dev.millrace.internal.beam.translate.Erased;
import java.util.HashMap;
import java.util.Map;
import org.apache.beam.model.pipeline.v1.RunnerApi;
import org.apache.beam.runners.fnexecution.translation.PipelineTranslatorUtils;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues.FullWindowedValueCoder;
import org.apache.beam.sdk.values.WindowingStrategy;

/// The collections of a pipeline as the runner knows them: parts of elements whose coders are known
/// to the SDK alone are bytes.
final class Collections {
  private final RunnerApi.Components components;
  private final Map<String, Coder<WindowedValue<Object>>> coders = new HashMap<>();

  Collections(RunnerApi.Components components) {
    this.components = components;
  }

  /// Returns what a collection is called.
  String name(String id) {
    return components.getPcollectionsOrThrow(id).getUniqueName();
  }

  /// Returns the id of the coder that the SDK has for the elements.
  String coder(String id) {
    return components.getPcollectionsOrThrow(id).getCoderId();
  }

  /// Returns the coder of elements with their windows.
  Coder<WindowedValue<Object>> elements(String id) {
    return coders.computeIfAbsent(
        id, each -> PipelineTranslatorUtils.instantiateCoder(each, components));
  }

  /// Returns the coder of elements without their windows.
  Coder<Object> values(String id) {
    return Erased.coder(((FullWindowedValueCoder<?>) (Coder<?>) elements(id)).getValueCoder());
  }

  /// Returns the coder of the elements of a collection that must be pairs.
  KvCoder<?, ?> pairs(String id) {
    Coder<Object> values = values(id);
    if (!((Coder<?>) values instanceof KvCoder<?, ?> pairs)) {
      throw new IllegalArgumentException(
          "The collection '%s' is grouped by keys, but its elements are no pairs: %s"
              .formatted(name(id), values));
    }
    return pairs;
  }

  /// Returns how the elements are put into windows.
  WindowingStrategy<?, ?> windowing(String id) {
    return PipelineTranslatorUtils.getWindowingStrategy(id, components);
  }
}
