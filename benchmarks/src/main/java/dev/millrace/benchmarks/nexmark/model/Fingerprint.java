package dev.millrace.benchmarks.nexmark.model;

/// Tells rows apart by 64 bits: equal values in the same order give equal ones, in every engine.
public final class Fingerprint {
  private static final long START = 0x2545F4914F6CDD1DL;

  private Fingerprint() {}

  /// Of some values; texts come as [#text].
  public static long of(long... values) {
    long all = START;
    for (long value : values) {
      all = mixed(all * 31 + mixed(value));
    }
    return all;
  }

  /// A text as a value.
  public static long text(String text) {
    return text.hashCode() * 31L + text.length();
  }

  /// Spreads a number over all 64 bits; no two have the same.
  public static long mixed(long value) {
    long mixed = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return mixed ^ mixed >>> 31;
  }
}
