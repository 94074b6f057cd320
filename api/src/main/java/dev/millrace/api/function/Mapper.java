package dev.millrace.api.function;

import java.io.Serializable;

/// Turns one value into another.
///
/// The result may be null if a [filter][dev.millrace.api.BaseStream#filter] follows. Where it is to
/// be kept or sent, a null is bad input, for which `errors.on-error` says what happens.
@FunctionalInterface
public interface Mapper<V, R> extends Serializable {
  R map(V value);
}
