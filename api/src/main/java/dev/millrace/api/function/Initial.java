package dev.millrace.api.function;

import java.io.Serializable;

/// Gives the start of an aggregation: a new object at each call.
@FunctionalInterface
public interface Initial<A> extends Serializable {
  A get();
}
