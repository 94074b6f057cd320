package dev.millrace.benchmarks.kafkastreams;

import java.nio.ByteBuffer;

/// What is kept for a key, with a format that its author made such that a later version of the
/// program reads what an earlier one wrote: what was added stands at the end, and may be missing.
///
/// @param largest amount since there is such a field
record Total(int count, long sum, long last, byte[] padding, long largest) {

  /// @param withLargest whether the program has that field
  byte[] bytes(boolean withLargest) {
    int size = Integer.BYTES + 2 * Long.BYTES + Integer.BYTES + padding.length;
    ByteBuffer bytes = ByteBuffer.allocate(withLargest ? size + Long.BYTES : size);
    bytes.putInt(count).putLong(sum).putLong(last).putInt(padding.length).put(padding);
    if (withLargest) {
      bytes.putLong(largest);
    }
    return bytes.array();
  }

  static Total of(byte[] written) {
    ByteBuffer bytes = ByteBuffer.wrap(written);
    int count = bytes.getInt();
    long sum = bytes.getLong();
    long last = bytes.getLong();
    byte[] padding = new byte[bytes.getInt()];
    bytes.get(padding);
    return new Total(count, sum, last, padding, bytes.hasRemaining() ? bytes.getLong() : 0);
  }
}
