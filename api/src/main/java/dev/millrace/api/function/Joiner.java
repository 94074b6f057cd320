package dev.millrace.api.function;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// Returns one value for those that two sides of a join have for a key. A side that has none is
/// null, where the kind of join allows that. If it returns null, there is no result.
@FunctionalInterface
public interface Joiner<V extends @Nullable Object, W extends @Nullable Object, R>
    extends Serializable {
  R join(V left, W right);
}
