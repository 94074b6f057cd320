package dev.millrace.benchmarks.localstate;

import dev.millrace.api.serde.Bytes;
import dev.millrace.benchmarks.scenarios.Event;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/// The form of what goes in and comes out. The key of what goes in is an id of eight bytes; what
/// comes out has none, its id is in the value.
///
/// A record that is counted or looked up, and one that asks, are events (see [Event]). A record of
/// the table to be joined with begins with a byte of its own; the value to be kept follows.
public final class Messages {
  /// What a record of each kind has besides its id, as in Noghabi et al.
  static final int READ_WRITE_BYTES = 100;

  static final int READ_ONLY_BYTES = 130;

  /// What the table has for an id.
  static final int TABLE_BYTES = 100;

  private static final byte TABLE = 2;

  /// Of a record, what goes out with the value of its id.
  private static final int FRACTION_BYTES = 30;

  private Messages() {}

  /// What the table has for an id: bytes in no order, so that no compression makes it smaller.
  static byte[] tableValue(long id) {
    byte[] value = new byte[TABLE_BYTES];
    new SplittableRandom(id).nextBytes(value);
    return value;
  }

  /// The record that puts an id into the table.
  static byte[] tableRecord(long id) {
    byte[] value = tableValue(id);
    return ByteBuffer.allocate(1 + value.length).put(TABLE).put(value).array();
  }

  /// Whether a record is one of the table.
  public static boolean isOfTable(Bytes record) {
    return record.array()[record.offset()] == TABLE;
  }

  /// The value to be kept of a record of the table.
  public static byte[] tableValue(Bytes record) {
    byte[] value = new byte[record.length() - 1];
    System.arraycopy(record.array(), record.offset() + 1, value, 0, value.length);
    return value;
  }

  /// The count of an id, as an answer.
  public static byte[] answer(long id, long count) {
    return ByteBuffer.allocate(2 * Long.BYTES).putLong(id).putLong(count).array();
  }

  /// A record joined with what the table has for its id: id and number, that value, and a part of
  /// the record.
  public static byte[] joined(long id, byte[] value, Bytes record) {
    return ByteBuffer.allocate(2 * Long.BYTES + value.length + FRACTION_BYTES)
        .putLong(id)
        .putLong(Event.number(record.array(), record.offset()))
        .put(value)
        .put(record.array(), record.offset(), FRACTION_BYTES)
        .array();
  }
}
