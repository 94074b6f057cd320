package dev.millrace.internal.beam.portable.stage;

import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.util.construction.graph.ExecutableStage;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowingStrategy;
import org.jspecify.annotations.Nullable;

/// A stage with all that its operator is told.
///
/// @param operator the name of its node
/// @param step what it is called in metrics and failures: the full name of its first transform
/// @param elements the coder of its elements, as they go to the harness
/// @param windowing of its elements
/// @param keys the coder of the keys, if it has state or timers; null otherwise
/// @param isSplittable whether it may give back a part of an element to be processed later
/// @param outputs the numbers of what it gives, by the ids of the collections
/// @param views that it reads, in the order of the operator's inputs behind the first
/// @param reads by what a transform calls it, which of these views it reads
/// @param senders how many tasks send each view
public record StageSpec(
    String operator,
    String step,
    ExecutableStage stage,
    Coder<WindowedValue<Object>> elements,
    WindowingStrategy<?, ?> windowing,
    @Nullable Coder<Object> keys,
    boolean isSplittable,
    Map<String, Integer> outputs,
    List<StageView> views,
    Map<StageView.Name, Integer> reads,
    int senders) {

  /// Returns the name that a view, a state or a timer has in the whole pipeline.
  static String name(String transform, String local) {
    return transform.length() + ":" + transform + ":" + local;
  }
}
