package dev.millrace.internal.beam.portable.stage;

import java.util.ArrayList;
import java.util.List;
import org.apache.beam.sdk.values.WindowedValue;

/// What goes to a harness at once: elements, and the timers that are due behind them.
record Bundle(List<WindowedValue<Object>> elements, List<StageTimers.Due> timers) {
  Bundle() {
    this(new ArrayList<>(), new ArrayList<>());
  }

  boolean isEmpty() {
    return elements.isEmpty() && timers.isEmpty();
  }
}
