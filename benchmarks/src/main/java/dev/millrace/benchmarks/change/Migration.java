package dev.millrace.benchmarks.change;

/// What `plan --diff` says of a migration to its end.
///
/// @param bytes of values that are written anew; not a number if that is not known
/// @param seconds from its beginning to the last value; not a number if that is not known
record Migration(double bytes, double seconds) {
  static final Migration NONE = new Migration(Double.NaN, Double.NaN);
}
