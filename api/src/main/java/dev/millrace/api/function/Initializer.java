package dev.millrace.api.function;

import java.io.Serializable;

/// Returns a new object at each call: the start of an aggregate, or the processor of a task.
@FunctionalInterface
public interface Initializer<A> extends Serializable {
  A get();
}
