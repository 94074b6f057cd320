package dev.millrace.benchmarks.change.peer;

import java.nio.ByteBuffer;

/// A result: what an operator has of a key behind an event of it.
///
/// @param operator [#TOTALS] or [#RECENT]
/// @param number of the event
/// @param count of the key's events so far
/// @param sum of their amounts; 0 of [#RECENT]
/// @param mark the first eight bytes of the key's padding, which never change; 0 of [#RECENT]
public record Row(byte operator, long number, long count, long sum, long mark) {
  /// The operator whose state is changed; every program has it.
  public static final byte TOTALS = 0;

  /// The operator that is added, and removed again.
  public static final byte RECENT = 1;

  /// A row of the totals.
  public static Row ofTotals(long number, long count, long sum, byte[] padding) {
    return new Row(TOTALS, number, count, sum, Padding.mark(padding));
  }

  /// Returns the value of a record of the output.
  public byte[] value() {
    return ByteBuffer.allocate(1 + 4 * Long.BYTES)
        .put(operator)
        .putLong(number)
        .putLong(count)
        .putLong(sum)
        .putLong(mark)
        .array();
  }

  /// Returns what [#value] was made of.
  public static Row of(byte[] value) {
    ByteBuffer bytes = ByteBuffer.wrap(value);
    return new Row(bytes.get(), bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getLong());
  }
}
