package dev.millrace.api.function;

import java.io.Serializable;

/// Adds a value to an aggregate and returns the new aggregate, which may be the old object changed.
/// The old object is what the serde reads: of the default serdes, lists, sets and maps that cannot
/// be changed.
@FunctionalInterface
public interface Aggregator<A, V> extends Serializable {
  A aggregate(A aggregate, V value);
}
