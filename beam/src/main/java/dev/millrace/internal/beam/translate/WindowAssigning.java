package dev.millrace.internal.beam.translate;

import dev.millrace.api.function.Mapper;
import java.util.Collection;
import org.apache.beam.sdk.transforms.windowing.BoundedWindow;
import org.apache.beam.sdk.transforms.windowing.WindowFn;
import org.apache.beam.sdk.util.UserCodeException;
import org.apache.beam.sdk.values.WindowedValue;
import org.apache.beam.sdk.values.WindowedValues;
import org.joda.time.Instant;

/// Puts elements into the windows that a function says.
record WindowAssigning(WindowFn<?, ?> windows) implements Mapper<Object, Object> {
  @Override
  public Object map(Object row) {
    return assign((WindowedValue<?>) row);
  }

  @SuppressWarnings("unchecked")
  private <T> WindowedValue<T> assign(WindowedValue<T> element) {
    if (element.getWindows().size() != 1) {
      throw new IllegalArgumentException(
          "An element of one window is put into others; found " + element.getWindows());
    }
    BoundedWindow window = element.getWindows().iterator().next();
    WindowFn<Object, BoundedWindow> fn = (WindowFn<Object, BoundedWindow>) windows;
    Collection<? extends BoundedWindow> assigned;
    try {
      assigned =
          fn.assignWindows(
              fn.new AssignContext() {
                @Override
                public Object element() {
                  return element.getValue();
                }

                @Override
                public Instant timestamp() {
                  return element.getTimestamp();
                }

                @Override
                public BoundedWindow window() {
                  return window;
                }
              });
      // outermost: user code, which may throw whatever it likes
    } catch (Exception e) {
      throw UserCodeException.wrap(e);
    }
    return WindowedValues.of(
        element.getValue(), element.getTimestamp(), assigned, element.getPaneInfo());
  }
}
