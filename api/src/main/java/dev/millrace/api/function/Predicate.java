package dev.millrace.api.function;

import java.io.Serializable;

/// Returns whether something holds for a value.
@FunctionalInterface
public interface Predicate<V> extends Serializable {
  boolean test(V value);
}
