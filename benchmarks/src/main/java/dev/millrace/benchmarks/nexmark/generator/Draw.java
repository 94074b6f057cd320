package dev.millrace.benchmarks.nexmark.generator;

import dev.millrace.benchmarks.nexmark.model.Fingerprint;
import java.nio.charset.StandardCharsets;

/// Draws what belongs to one event. The same seed and event draw the same, whatever was drawn
/// before.
final class Draw {
  private static final long STEP = 0x9E3779B97F4A7C15L;
  private static final int LETTERS = 26;

  /// A letter takes five bits of the sixty that a number gives.
  private static final int LETTERS_A_NUMBER = 12;

  private static final int BITS_A_LETTER = 5;
  private static final int MASK = (1 << BITS_A_LETTER) - 1;

  private long state;

  Draw(long seed, long number) {
    state = Fingerprint.mixed(seed + STEP) + Fingerprint.mixed(number * STEP);
  }

  private long next() {
    state += STEP;
    return Fingerprint.mixed(state);
  }

  /// From 0 to below a bound.
  int below(int bound) {
    return (int) ((next() >>> 32) * bound >>> 32);
  }

  /// From 0 to below a bound.
  long below(long bound) {
    return Math.floorMod(next() >>> 1, bound);
  }

  /// A price in cents: as many between 1 and 10 as between 100,000 and 1,000,000.
  long price() {
    double zeroToOne = (next() >>> 11) * 0x1.0p-53;
    return Math.round(Math.pow(10, zeroToOne * 6) * 100);
  }

  <T> T oneOf(T[] values) {
    return values[below(values.length)];
  }

  /// Letters, so many.
  String letters(int length) {
    byte[] text = new byte[length];
    for (int at = 0; at < length; ) {
      long bits = next();
      for (int i = 0; i < LETTERS_A_NUMBER && at < length; i++) {
        text[at++] = (byte) ('a' + ((bits & MASK) * LETTERS >>> BITS_A_LETTER));
        bits >>>= BITS_A_LETTER;
      }
    }
    return new String(text, StandardCharsets.ISO_8859_1);
  }

  /// Words of letters with a mark between them now and then, at least three characters together.
  String words(int below, char mark) {
    byte[] text = letters(3 + below(below - 3)).getBytes(StandardCharsets.ISO_8859_1);
    for (int at = below(13); at < text.length; at += 1 + below(24)) {
      text[at] = (byte) mark;
    }
    return new String(text, StandardCharsets.ISO_8859_1).strip();
  }

  /// What makes an event about as large as wanted, a fifth more or less.
  ///
  /// @param has the bytes that it has without
  String padding(int has, int wanted) {
    if (has >= wanted) {
      return "";
    }
    int left = wanted - has;
    int spread = Math.round(left * 0.2f);
    return letters(left - spread + (spread == 0 ? 0 : below(2 * spread)));
  }
}
