package dev.millrace.internal.engine.operators;

import dev.millrace.api.serde.Bytes;

/// A store of numbers, to count in without making an object for each record.
@FunctionalInterface
public interface Counts {

  /// Adds to the number under a key, which is 0 if there is none.
  ///
  /// @return the sum
  long add(Bytes key, long change);
}
