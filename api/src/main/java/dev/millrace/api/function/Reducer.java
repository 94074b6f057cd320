package dev.millrace.api.function;

import java.io.Serializable;

/// Combines two values of one key, the earlier one first. It is associative: of three values, it
/// makes no difference which two are combined first.
@FunctionalInterface
public interface Reducer<V> extends Serializable {
  V reduce(V earlier, V later);
}
