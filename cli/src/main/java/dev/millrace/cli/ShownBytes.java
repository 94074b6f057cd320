package dev.millrace.cli;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// How bytes are shown.
enum ShownBytes {
  /// Shows printable UTF-8 as text, and other bytes in hexadecimal.
  AUTO,
  /// Shows text, with dots for characters that cannot be printed.
  TEXT,
  /// Shows hexadecimal digits.
  HEX;

  String of(byte @Nullable [] bytes) {
    if (bytes == null) {
      return "-";
    }
    String hex = "0x" + HexFormat.of().formatHex(bytes);
    if (this == HEX) {
      return hex;
    }
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      boolean printable = text.codePoints().noneMatch(ShownBytes::isControl);
      return printable || this == TEXT ? printable(text) : hex;
    } catch (CharacterCodingException _) {
      return this == TEXT ? printable(new String(bytes, StandardCharsets.UTF_8)) : hex;
    }
  }

  private static boolean isControl(int point) {
    return Character.isISOControl(point) && point != '\n' && point != '\t' && point != '\r';
  }

  private static String printable(String text) {
    StringBuilder shown = new StringBuilder();
    text.codePoints()
        .map(point -> isControl(point) || point == 0xFFFD ? '.' : point)
        .forEach(shown::appendCodePoint);
    return shown.toString();
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
