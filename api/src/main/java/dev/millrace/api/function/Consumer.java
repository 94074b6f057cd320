package dev.millrace.api.function;

import java.io.Serializable;

/// Takes a value. What it does has no influence on the results, and may be done again after a
/// restart.
@FunctionalInterface
public interface Consumer<V> extends Serializable {
  void accept(V value);
}
