package dev.millrace.benchmarks.change;

/// A migration of values to its end: what was predicted of it, or what it did.
///
/// @param bytes of values that are written anew; not a number if that is not known
/// @param seconds from the start of the program to the last value; not a number if that is not
///   known
record Migration(double bytes, double seconds) {
  static final Migration NONE = new Migration(Double.NaN, Double.NaN);
}
