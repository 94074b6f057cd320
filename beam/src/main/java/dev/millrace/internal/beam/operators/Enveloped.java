package dev.millrace.internal.beam.operators;

import java.util.Collection;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.PaneInfo;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;
import org.joda.time.Instant;

/// What goes with a value from task to task.
///
/// @param millis the timestamp, in milliseconds since 1970
public record Enveloped(long millis, Collection<? extends BoundedWindow> windows, PaneInfo pane) {
  /// Returns the value with it.
  public <T> WindowedValue<T> with(T value) {
    return WindowedValues.of(value, Instant.ofEpochMilli(millis), windows, pane);
  }
}
