package dev.millrace.api.function;

import java.io.Serializable;
import java.time.Instant;

/// Returns when the event that a value describes happened.
@FunctionalInterface
public interface EventTime<V> extends Serializable {
  Instant of(V value);
}
