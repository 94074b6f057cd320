package dev.millrace.api.function;

import java.io.Serializable;

/// Tells whether something holds for a value, such as whether to keep it.
@FunctionalInterface
public interface Predicate<V> extends Serializable {
  boolean test(V value);
}
