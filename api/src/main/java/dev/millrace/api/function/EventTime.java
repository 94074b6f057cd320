package dev.millrace.api.function;

import java.io.Serializable;
import java.time.Instant;

/// Tells when the event behind a value happened.
@FunctionalInterface
public interface EventTime<V> extends Serializable {
  Instant of(V value);
}
