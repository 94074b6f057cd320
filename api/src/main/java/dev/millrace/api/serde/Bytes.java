package dev.millrace.api.serde;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A movable view over a part of a byte array.
///
/// Bytes that the engine hands to user code stay as they are, but for those that were read by
/// [Serdes#view], which says how long these are valid, and those given to [Serde#read], which are
/// valid only during the call; [#copy] keeps the content. Equality, hash and order are those of the
/// content; the order is unsigned and lexicographic, the order of every store. Not thread-safe.
public final class Bytes implements Comparable<Bytes> {
  private static final byte[] NONE = {};

  private byte[] array = NONE;
  private int offset;
  private int length;

  /// An empty view, to be moved with [#set].
  public Bytes() {}

  /// A view over the whole array; later changes of the array show through.
  public static Bytes of(byte[] array) {
    return new Bytes().set(array, 0, array.length);
  }

  /// The UTF-8 bytes of a text.
  public static Bytes ofUtf8(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /// Moves this view.
  ///
  /// @return this
  /// @throws IndexOutOfBoundsException if the range is not inside the array
  public Bytes set(byte[] newArray, int newOffset, int newLength) {
    Objects.checkFromIndexSize(newOffset, newLength, newArray.length);
    array = newArray;
    offset = newOffset;
    length = newLength;
    return this;
  }

  /// Returns the array of this view; its content starts at [#offset].
  public byte[] array() {
    return array;
  }

  public int offset() {
    return offset;
  }

  public int length() {
    return length;
  }

  /// The byte at `index` of the view.
  public byte get(int index) {
    Objects.checkIndex(index, length);
    return array[offset + index];
  }

  /// A new array with the content.
  public byte[] toByteArray() {
    return Arrays.copyOfRange(array, offset, offset + length);
  }

  /// A view over a copy of the content, which stays valid.
  public Bytes copy() {
    return of(toByteArray());
  }

  /// The content read as UTF-8.
  public String toUtf8() {
    return new String(array, offset, length, StandardCharsets.UTF_8);
  }

  public boolean contentEquals(byte[] other) {
    return Arrays.equals(array, offset, offset + length, other, 0, other.length);
  }

  @Override
  public int compareTo(Bytes other) {
    return Arrays.compareUnsigned(
        array, offset, offset + length, other.array, other.offset, other.offset + other.length);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Bytes that
        && Arrays.equals(
            array, offset, offset + length, that.array, that.offset, that.offset + that.length);
  }

  @Override
  public int hashCode() {
    int hash = 1;
    for (int i = offset, end = offset + length; i < end; i++) {
      hash = 31 * hash + array[i];
    }
    return hash;
  }

  /// At most the first 64 bytes in hexadecimal; for messages.
  @Override
  public String toString() {
    int shown = Math.min(length, 64);
    return HexFormat.of().formatHex(array, offset, offset + shown) + (shown < length ? "…" : "");
  }
}
