package dev.millrace.benchmarks.localstate;

/// What a store elsewhere has used so far.
///
/// @param cpuNanos of its process
/// @param bytes of memory that it has
public record StoreUse(long cpuNanos, long bytes) {
  /// There is no such store.
  public static final StoreUse NONE = new StoreUse(0, 0);

  static StoreUse of(String told) {
    String[] numbers = told.split(" ");
    return new StoreUse(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
  }

  @Override
  public String toString() {
    return cpuNanos + " " + bytes;
  }
}
