package dev.millrace.api.function;

import java.io.Serializable;

/// Asks another system. Called by several threads at once.
@FunctionalInterface
public interface Caller<V, R> extends Serializable {
  R call(V value) throws Exception;
}
