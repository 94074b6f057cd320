package dev.millrace.benchmarks.nexmark.generator;

import dev.millrace.benchmarks.nexmark.model.Fingerprint;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Draws what belongs to one event. The same seed and event draw the same, whatever was drawn
/// before.
final class Draw {
  private static final long STEP = 0x9E3779B97F4A7C15L;
  private static final int LETTERS = 26;

  private static final int TEXT_LETTERS = 1 << 16;
  private static final byte[] TEXT = text();

  /// The longest text that makes an event as large as wanted.
  private static final int LONGEST = 600;

  /// How many letters all texts of one length have together.
  private static final int LETTERS_OF_A_LENGTH = 1 << 13;

  private static final String[][] TEXTS = texts();

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

  /// Letters, so many: one of some texts that are there once, as making a text for each event would
  /// cost more than what an engine does with it.
  private String letters(int length) {
    String[] ofLength = TEXTS[length];
    return ofLength[below(ofLength.length)];
  }

  private static byte[] text() {
    Draw draw = new Draw(0, 0);
    byte[] text = new byte[TEXT_LETTERS];
    for (int at = 0; at < text.length; at++) {
      text[at] = (byte) ('a' + draw.below(LETTERS));
    }
    return text;
  }

  /// For each length some texts, more of short ones.
  private static String[][] texts() {
    String[][] texts = new String[LONGEST + 1][];
    texts[0] = new String[] {""};
    for (int length = 1; length < texts.length; length++) {
      String[] ofLength = new String[LETTERS_OF_A_LENGTH / length];
      for (int i = 0; i < ofLength.length; i++) {
        ofLength[i] = new String(TEXT, i * length, length, StandardCharsets.ISO_8859_1);
      }
      texts[length] = ofLength;
    }
    return texts;
  }

  /// Words of letters with a mark between them now and then, at least three characters together.
  String words(int below, char mark) {
    int length = 3 + below(below - 3);
    int from = below(TEXT.length - length);
    byte[] text = Arrays.copyOfRange(TEXT, from, from + length);
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
