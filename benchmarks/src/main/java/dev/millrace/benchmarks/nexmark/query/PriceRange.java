package dev.millrace.benchmarks.nexmark.query;

/// Prices from somewhere to somewhere.
enum PriceRange {
  LOW,
  MIDDLE,
  HIGH;

  private static final long MIDDLE_FROM = 10_000;
  private static final long HIGH_FROM = 1_000_000;

  /// @param price in cents
  static PriceRange of(long price) {
    if (price < MIDDLE_FROM) {
      return LOW;
    }
    return price < HIGH_FROM ? MIDDLE : HIGH;
  }
}
