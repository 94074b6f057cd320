package dev.millrace.api.serde;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;

/// A growing buffer that serdes write to; numbers are big-endian.
///
/// The engine reuses one writer for many values. A serde appends and never looks back. Not
/// thread-safe.
public final class BytesWriter {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /// How deep records, lists and the like may be nested in each other.
  static final int MAX_DEPTH = 300;

  private static final int LONGEST_ARRAY = Integer.MAX_VALUE - 8;

  private byte[] array;
  private int length;
  private int most = LONGEST_ARRAY;
  private boolean atLimit;
  private int depth;

  public BytesWriter() {
    this(256);
  }

  public BytesWriter(int initialCapacityBytes) {
    array = new byte[initialCapacityBytes];
  }

  /// Forgets the content and a [#limit], keeps the memory.
  public BytesWriter clear() {
    length = 0;
    most = LONGEST_ARRAY;
    atLimit = false;
    return this;
  }

  /// Says how long the content may become, until the next [#clear] or limit: memory for more is not
  /// taken, and the write that needs it fails with a [SerdeException]. What there is memory for
  /// already can be written.
  public void limit(int mostBytes) {
    most = Math.min(mostBytes, LONGEST_ARRAY);
    atLimit = false;
  }

  /// Whether a write has failed at the [#limit] that holds.
  public boolean isAtLimit() {
    return atLimit;
  }

  /// Cuts the content to its first `newLength` bytes.
  public void truncate(int newLength) {
    Objects.checkFromToIndex(0, newLength, length);
    length = newLength;
  }

  /// The number of bytes written.
  public int length() {
    return length;
  }

  /// Returns the array of the content, which starts at 0; it is replaced when the buffer grows.
  public byte[] array() {
    return array;
  }

  public void writeByte(int value) {
    grow(1);
    array[length++] = (byte) value;
  }

  public void writeShort(int value) {
    grow(2);
    array[length++] = (byte) (value >>> 8);
    array[length++] = (byte) value;
  }

  public void writeInt(int value) {
    grow(4);
    INT.set(array, length, value);
    length += 4;
  }

  public void writeLong(long value) {
    grow(8);
    LONG.set(array, length, value);
    length += 8;
  }

  /// Seven bits a byte, lowest first; small non-negative values take one byte, negative ones five.
  public void writeVarInt(int value) {
    writeVarLong(value & 0xFFFF_FFFFL);
  }

  /// Seven bits a byte, lowest first; small non-negative values take one byte, negative ones ten.
  public void writeVarLong(long value) {
    grow(10);
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      array[length++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    array[length++] = (byte) rest;
  }

  public void write(byte[] bytes) {
    write(bytes, 0, bytes.length);
  }

  public void write(byte[] bytes, int offset, int count) {
    grow(count);
    copy(bytes, offset, array, length, count);
    length += count;
  }

  /// As [System#arraycopy], whose call alone would cost more than copying a short key.
  private static void copy(byte[] from, int at, byte[] to, int toAt, int count) {
    if (count >= Long.BYTES && count <= 2 * Long.BYTES) {
      long first = (long) LONG.get(from, at);
      long last = (long) LONG.get(from, at + count - Long.BYTES);
      LONG.set(to, toAt, first);
      LONG.set(to, toAt + count - Long.BYTES, last);
    } else {
      System.arraycopy(from, at, to, toAt, count);
    }
  }

  public void write(Bytes bytes) {
    write(bytes.array(), bytes.offset(), bytes.length());
  }

  /// Makes room for `count` bytes and moves past them; the caller fills them through [#array].
  ///
  /// @return the index of the first of them
  public int reserve(int count) {
    grow(count);
    int start = length;
    length += count;
    return start;
  }

  /// A copy of the content.
  public byte[] toByteArray() {
    return Arrays.copyOf(array, length);
  }

  /// Moves `view` over the content from `start` on.
  public Bytes view(Bytes view, int start) {
    return view.set(array, start, length - start);
  }

  /// Leaves room for the length of the content that follows.
  ///
  /// @return what to hand to [#endLength]
  int beginLength() {
    return reserve(1);
  }

  /// Puts the length of the content since [#beginLength] before it, as a number of variable length.
  void endLength(int mark) {
    int content = length - mark - 1;
    int more = (31 - Integer.numberOfLeadingZeros(content | 1)) / 7;
    if (more > 0) {
      reserve(more);
      System.arraycopy(array, mark + 1, array, mark + 1 + more, content);
    }
    int at = mark;
    int rest = content;
    while (rest > 0x7F) {
      array[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    array[at] = (byte) rest;
  }

  /// One record, list or the like inside another; [#ascend] belongs into a `finally`.
  void descend() {
    if (++depth > MAX_DEPTH) {
      depth--;
      throw new SerdeException("values are nested more than " + MAX_DEPTH + " deep");
    }
  }

  void ascend() {
    depth--;
  }

  private void grow(int count) {
    long needed = (long) length + count;
    if (needed > array.length) {
      if (needed > most) {
        atLimit = true;
        throw new SerdeException("There are more than " + most + " bytes to be written.");
      }
      long doubled = Math.max(16, array.length * 2L);
      array = Arrays.copyOf(array, (int) Math.max(needed, Math.min(doubled, most)));
    }
  }
}
