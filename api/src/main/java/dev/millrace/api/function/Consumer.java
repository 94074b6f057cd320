package dev.millrace.api.function;

import java.io.Serializable;

/// Looks at a value; what it does is invisible to the result and may happen again after a restart.
@FunctionalInterface
public interface Consumer<V> extends Serializable {
  void accept(V value);
}
