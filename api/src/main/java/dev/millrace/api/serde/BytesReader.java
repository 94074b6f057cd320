package dev.millrace.api.serde;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/// A cursor over bytes that serdes read from: the counterpart of [BytesWriter].
///
/// Numbers are big-endian. Every method checks that the bytes are there before it takes memory or
/// moves, and throws [SerdeException] with the position, what was expected and what was found. Not
/// thread-safe.
public final class BytesReader {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final byte[] array;
  private final int start;
  private final int limit;
  private int position;
  private int end;
  private int depth;

  /// A cursor at the start of the view; moving the view later does not move the cursor.
  public BytesReader(Bytes in) {
    array = in.array();
    start = in.offset();
    limit = start + in.length();
    position = start;
    end = limit;
  }

  /// The number of bytes read so far.
  public int position() {
    return position - start;
  }

  /// The number of bytes left.
  public int remaining() {
    return end - position;
  }

  public byte readByte() {
    return array[take(1)];
  }

  public int readUnsignedByte() {
    return array[take(1)] & 0xFF;
  }

  public short readShort() {
    int at = take(2);
    return (short) (array[at] << 8 | array[at + 1] & 0xFF);
  }

  public int readInt() {
    return (int) INT.get(array, take(4));
  }

  public long readLong() {
    return (long) LONG.get(array, take(8));
  }

  /// Reads what [BytesWriter#writeVarInt] wrote; a longer form than that is refused.
  public int readVarInt() {
    int at = position();
    long value = readVarLong();
    if (value < 0 || value > 0xFFFF_FFFFL) {
      throw new SerdeException("a number of at most 32 bits was expected at byte " + at);
    }
    return (int) value;
  }

  /// Reads what [BytesWriter#writeVarLong] wrote; a longer form than that is refused.
  public long readVarLong() {
    int first = position;
    long value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      byte next = array[take(1)];
      value |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        if (next == 0 && shift > 0 || shift == 63 && next > 1) {
          throw malformedVar(first);
        }
        return value;
      }
    }
    throw malformedVar(first);
  }

  /// Reads a length in bytes as [BytesWriter#writeVarInt] wrote it and checks that so many bytes
  /// are left.
  public int readLength() {
    int at = position();
    long length = readVarLong();
    if (length < 0 || length > remaining()) {
      throw new SerdeException(
          "a length of "
              + Long.toUnsignedString(length)
              + " bytes stands at byte "
              + at
              + ", "
              + remaining()
              + " are left");
    }
    return (int) length;
  }

  /// Reads a number of elements, each of at least one byte, and checks that so many bytes are left.
  public int readCount() {
    int at = position();
    long count = readVarLong();
    if (count < 0 || count > remaining()) {
      throw new SerdeException(
          "a count of "
              + Long.toUnsignedString(count)
              + " elements stands at byte "
              + at
              + ", only "
              + remaining()
              + " bytes are left");
    }
    return (int) count;
  }

  /// A new array with the next `count` bytes.
  public byte[] readBytes(int count) {
    int at = take(count);
    return Arrays.copyOfRange(array, at, at + count);
  }

  /// Moves `view` over the next `count` bytes, without a copy.
  ///
  /// @return the view
  public Bytes readView(int count, Bytes view) {
    int at = take(count);
    return view.set(array, at, count);
  }

  public void skip(int count) {
    take(count);
  }

  /// Checks that nothing is left.
  public void expectEnd() {
    if (position != end) {
      throw new SerdeException(
          "the value ends at byte " + position() + ", but " + remaining() + " more bytes follow");
    }
  }

  /// The next `count` bytes become all there is, until [#leave].
  ///
  /// @return what to hand to [#leave]
  int enter(int count) {
    int outer = end;
    end = take(count) + count;
    position = end - count;
    return outer;
  }

  /// Checks that everything since [#enter] was read.
  void leave(int outer) {
    expectEnd();
    end = outer;
  }

  /// One record, list or the like inside another; more than [BytesWriter#MAX_DEPTH] are refused,
  /// since bytes must not decide how much stack is used.
  void descend() {
    if (++depth > BytesWriter.MAX_DEPTH) {
      throw new SerdeException("values are nested more than " + BytesWriter.MAX_DEPTH + " deep");
    }
  }

  void ascend() {
    depth--;
  }

  /// Whether the next bytes are these; if so, moves past them.
  boolean skipIf(byte[] expected) {
    int length = expected.length;
    if (length > remaining()
        || !Arrays.equals(array, position, position + length, expected, 0, length)) {
      return false;
    }
    position += length;
    return true;
  }

  byte[] array() {
    return array;
  }

  /// The index in [#array] of the next byte.
  int index() {
    return position;
  }

  private int take(int count) {
    int at = position;
    if (count < 0 || count > end - at) {
      throw new SerdeException(
          "expected " + count + " more bytes at byte " + position() + ", found " + remaining());
    }
    position = at + count;
    return at;
  }

  private SerdeException malformedVar(int first) {
    return new SerdeException(
        "no number of variable length stands at byte "
            + (first - start)
            + ": it is too long or padded");
  }
}
