package dev.millrace.benchmarks.change.peer;

import java.nio.ByteBuffer;

/// A record of the input. Its key in Kafka is a number of eight bytes; its value has the same
/// number, the number of the event and an amount.
///
/// @param number from 0 for those whose result is wanted; [#UNNUMBERED] for those that only fill
///   the state
public record Event(long key, long number, long amount) {
  /// The number of an event that only fills the state.
  public static final long UNNUMBERED = -1;

  /// Returns the value of the record.
  public byte[] value() {
    return ByteBuffer.allocate(3 * Long.BYTES).putLong(key).putLong(number).putLong(amount).array();
  }

  /// Returns what [#value] was made of.
  public static Event of(byte[] value) {
    ByteBuffer bytes = ByteBuffer.wrap(value);
    return new Event(bytes.getLong(), bytes.getLong(), bytes.getLong());
  }

  /// Returns the bytes of a record's key.
  public static byte[] keyBytes(long key) {
    return ByteBuffer.allocate(Long.BYTES).putLong(key).array();
  }
}
