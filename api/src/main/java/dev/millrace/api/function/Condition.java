package dev.millrace.api.function;

import java.io.Serializable;

/// Says whether to keep a value.
@FunctionalInterface
public interface Condition<V> extends Serializable {
  boolean test(V value);
}
