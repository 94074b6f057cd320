package dev.millrace.api.serde;

import java.nio.charset.StandardCharsets;

/// UTF-8 that refuses what is malformed, where the JDK's short ways replace it in silence: two
/// texts that differ must not become the same bytes, nor bytes that differ the same text.
final class Utf8 {
  private Utf8() {}

  static void write(String text, BytesWriter out) {
    int length = text.length();
    int start = out.reserve(length);
    byte[] array = out.array();
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (c >= 0x80) {
        out.truncate(start + i);
        writeRest(text, i, out);
        return;
      }
      array[start + i] = (byte) c;
    }
  }

  private static void writeRest(String text, int from, BytesWriter out) {
    int at = out.reserve(Math.multiplyExact(3, text.length() - from));
    byte[] array = out.array();
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        array[at++] = (byte) c;
      } else if (c < 0x800) {
        array[at++] = (byte) (0xC0 | c >> 6);
        array[at++] = (byte) (0x80 | c & 0x3F);
      } else if (!Character.isSurrogate(c)) {
        array[at++] = (byte) (0xE0 | c >> 12);
        array[at++] = (byte) (0x80 | c >> 6 & 0x3F);
        array[at++] = (byte) (0x80 | c & 0x3F);
      } else {
        int point = pairAt(text, i++);
        array[at++] = (byte) (0xF0 | point >> 18);
        array[at++] = (byte) (0x80 | point >> 12 & 0x3F);
        array[at++] = (byte) (0x80 | point >> 6 & 0x3F);
        array[at++] = (byte) (0x80 | point & 0x3F);
      }
    }
    out.truncate(at);
  }

  private static int pairAt(String text, int index) {
    int point = text.codePointAt(index);
    if (!Character.isSupplementaryCodePoint(point)) {
      throw new SerdeException(
          "the text has an unpaired surrogate at index " + index + ", which UTF-8 cannot hold");
    }
    return point;
  }

  static String read(byte[] array, int from, int length) {
    int end = from + length;
    int at = from;
    while (at < end && array[at] >= 0) {
      at++;
    }
    if (at == end) {
      return new String(array, from, length, StandardCharsets.ISO_8859_1);
    }
    while (at < end) {
      int size = array[at] >= 0 ? 1 : sizeOfPoint(array, at, end);
      if (size == 0) {
        throw new SerdeException(
            "malformed UTF-8 at byte %d of %d: 0x%02x".formatted(at - from, length, array[at]));
      }
      at += size;
    }
    return new String(array, from, length, StandardCharsets.UTF_8);
  }

  /// The number of bytes of the code point at `at`, which is not ASCII; 0 if it is malformed.
  private static int sizeOfPoint(byte[] array, int at, int end) {
    int first = array[at] & 0xFF;
    int size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || size > end - at) {
      return 0;
    }
    for (int i = 1; i < size; i++) {
      if ((array[at + i] & 0xC0) != 0x80) {
        return 0;
      }
    }
    // The second byte rules out padded forms, surrogates and what is above U+10FFFF.
    int second = array[at + 1] & 0xFF;
    boolean malformed =
        switch (first) {
          case 0xE0 -> second < 0xA0;
          case 0xED -> second > 0x9F;
          case 0xF0 -> second < 0x90;
          case 0xF4 -> second > 0x8F;
          default -> false;
        };
    return malformed ? 0 : size;
  }
}
