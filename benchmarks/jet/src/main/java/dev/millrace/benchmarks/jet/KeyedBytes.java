package dev.millrace.benchmarks.jet;

import dev.millrace.benchmarks.scenarios.Event;
import java.io.Serializable;

/// A record whose key is a number. It stays within the process.
///
/// @param value not copied
record KeyedBytes(long key, byte[] value) implements Serializable {
  static KeyedBytes of(byte[] key, byte[] value, boolean byOther) {
    return new KeyedBytes(byOther ? Event.other(value, 0) : Event.toLong(key, 0), value);
  }

  byte[] keyBytes() {
    return Event.toBytes(key);
  }
}
