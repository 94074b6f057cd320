package dev.millrace.api;

import java.io.Serializable;
import java.util.List;

/// Returns one result for all values of a key in a window.
@FunctionalInterface
public interface WindowFunction<V, R> extends Serializable {
  /// Returns the result.
  ///
  /// @param values in the order in which they arrived, after results that may be corrected in that
  ///   of their event times; at least one
  R apply(Window window, List<V> values);
}
