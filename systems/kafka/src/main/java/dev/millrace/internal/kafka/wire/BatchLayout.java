package dev.millrace.internal.kafka.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Positions of the fields in a record batch of format 2, the only one since Kafka 0.11. Numbers
/// are big-endian.
final class BatchLayout {
  static final int BASE_OFFSET = 0;

  /// The bytes behind this number.
  static final int LENGTH = 8;

  static final int LEADER_EPOCH = 12;
  static final int MAGIC = 16;
  static final int CRC = 17;

  /// The checksum covers everything from here on.
  static final int ATTRIBUTES = 21;

  static final int LAST_OFFSET_DELTA = 23;
  static final int BASE_TIMESTAMP = 27;
  static final int MAX_TIMESTAMP = 35;
  static final int PRODUCER_ID = 43;
  static final int PRODUCER_EPOCH = 51;
  static final int BASE_SEQUENCE = 53;
  static final int COUNT = 57;
  static final int RECORDS = 61;

  /// What [#LENGTH] does not count.
  static final int BEFORE_LENGTH = 12;

  static final byte FORMAT = 2;
  static final int COMPRESSION_BITS = 0x07;
  static final int LOG_APPEND_TIME = 0x08;
  static final int TRANSACTIONAL = 0x10;
  static final int CONTROL = 0x20;

  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private BatchLayout() {}

  static short shortAt(byte[] array, int at) {
    return (short) SHORT.get(array, at);
  }

  static int intAt(byte[] array, int at) {
    return (int) INT.get(array, at);
  }

  static long longAt(byte[] array, int at) {
    return (long) LONG.get(array, at);
  }

  static void putShort(byte[] array, int at, int value) {
    SHORT.set(array, at, (short) value);
  }

  static void putInt(byte[] array, int at, int value) {
    INT.set(array, at, value);
  }

  static void putLong(byte[] array, int at, long value) {
    LONG.set(array, at, value);
  }
}
