package dev.millrace.api.function;

import java.io.Serializable;

/// Combines two values of one key, the earlier one first.
@FunctionalInterface
public interface Reducer<V> extends Serializable {
  V reduce(V earlier, V later);
}
