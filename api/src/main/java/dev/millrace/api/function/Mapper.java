package dev.millrace.api.function;

import java.io.Serializable;

/// Turns one value into another.
@FunctionalInterface
public interface Mapper<V, R> extends Serializable {
  R map(V value);
}
