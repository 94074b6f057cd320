package dev.millrace.benchmarks.scenarios;

import java.util.SplittableRandom;

/// Bytes that fill values up: words out of a list, in no order, so that a topic can be compressed
/// about as well as text can.
final class Padding {
  private static final int WORDS = 512;
  private static final int WORD_BYTES = 8;
  private static final int BYTES = 1 << 20;

  private final byte[] bytes = new byte[BYTES];

  Padding() {
    SplittableRandom random = new SplittableRandom(1);
    byte[] words = new byte[WORDS * WORD_BYTES];
    for (int i = 0; i < words.length; i++) {
      words[i] = (byte) (i % WORD_BYTES == 0 ? ' ' : 'a' + random.nextInt(26));
    }
    for (int at = 0; at < BYTES; at += WORD_BYTES) {
      System.arraycopy(words, random.nextInt(WORDS) * WORD_BYTES, bytes, at, WORD_BYTES);
    }
  }

  /// Fills what comes behind the head of a record's value; the same every time.
  void fill(byte[] value, long number) {
    int length = value.length - Event.HEAD_BYTES;
    int from = (int) ((Distribution.mixed(number) >>> 1) % (BYTES - length));
    System.arraycopy(bytes, from, value, Event.HEAD_BYTES, length);
  }
}
