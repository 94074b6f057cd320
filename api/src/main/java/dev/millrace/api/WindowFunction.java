package dev.millrace.api;

import java.io.Serializable;
import java.util.List;

/// Turns all values of a key in a window into one result.
@FunctionalInterface
public interface WindowFunction<V, R> extends Serializable {
  /// @param values in the order they came, behind results that may be corrected in that of their
  ///   event times; at least one
  R apply(Window window, List<V> values);
}
