package dev.millrace.benchmarks.scenarios;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// The form of a record. Its key is a number of eight bytes. Its value begins with a byte that says
/// whether it asks for a count, then come another key of eight bytes and the record's own number,
/// then padding.
///
/// The other key follows from the key, and no two keys have the same. So all records with one other
/// key come from one partition, and one that asks is behind them all on every way.
public final class Event {
  /// Bytes of a value before the padding.
  public static final int HEAD_BYTES = 1 + Long.BYTES + Long.BYTES;

  public static final int KEY_BYTES = Long.BYTES;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final int OTHER = 1;
  private static final int NUMBER = OTHER + Long.BYTES;

  /// An odd number and the one that undoes a multiplication by it.
  private static final long FORTH = 0x9E3779B97F4A7C15L;

  private static final long BACK = inverse(FORTH);

  private Event() {}

  private static long inverse(long odd) {
    long inverse = odd;
    // Newton's step doubles the bits that are right; an odd number has three to begin with.
    for (int bits = 3; bits < Long.SIZE; bits *= 2) {
      inverse *= 2 - odd * inverse;
    }
    return inverse;
  }

  /// Whether a value asks for the count of its key.
  public static boolean asks(byte[] array, int offset) {
    return array[offset] != 0;
  }

  /// The other key of a value.
  public static long other(byte[] array, int offset) {
    return (long) LONG.get(array, offset + OTHER);
  }

  /// The number of a value.
  public static long number(byte[] array, int offset) {
    return (long) LONG.get(array, offset + NUMBER);
  }

  /// Eight bytes as a number.
  public static long toLong(byte[] array, int offset) {
    return (long) LONG.get(array, offset);
  }

  /// A number as eight bytes.
  public static byte[] toBytes(long value) {
    byte[] bytes = new byte[Long.BYTES];
    LONG.set(bytes, 0, value);
    return bytes;
  }

  /// Writes a number into an array.
  public static void put(byte[] array, int offset, long value) {
    LONG.set(array, offset, value);
  }

  /// Writes what is before the padding.
  public static void head(byte[] value, boolean asks, long key, long number) {
    value[0] = (byte) (asks ? 1 : 0);
    LONG.set(value, OTHER, otherOf(key));
    LONG.set(value, NUMBER, number);
  }

  /// The other key that goes with a key.
  static long otherOf(long key) {
    return key * FORTH;
  }

  /// The key that another key goes with.
  static long keyOf(long other) {
    return other * BACK;
  }
}
