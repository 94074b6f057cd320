package dev.millrace.benchmarks.nexmark.query;

/// Prices from somewhere to somewhere.
enum PriceRange {
  LOW(1),
  MIDDLE(2),
  HIGH(4);

  private static final long MIDDLE_FROM = 10_000;
  private static final long HIGH_FROM = 1_000_000;

  private final int bit;

  PriceRange(int bit) {
    this.bit = bit;
  }

  /// What stands for it in a number that has several.
  int bit() {
    return bit;
  }

  /// @param price in cents
  static PriceRange of(long price) {
    if (price < MIDDLE_FROM) {
      return LOW;
    }
    return price < HIGH_FROM ? MIDDLE : HIGH;
  }
}
