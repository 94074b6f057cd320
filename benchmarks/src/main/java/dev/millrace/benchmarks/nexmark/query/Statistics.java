package dev.millrace.benchmarks.nexmark.query;

import dev.millrace.benchmarks.nexmark.model.Fingerprint;

/// How many bids, bidders and auctions there are on a channel and day.
///
/// @param channel empty if it is of all channels
/// @param minute of the last bid
public record Statistics(
    String channel, String day, String minute, Numbers bids, Numbers bidders, Numbers auctions) {

  /// How many there are, and how many of them with low, middle and high prices: below 100, to below
  /// 10,000, and above.
  public record Numbers(long total, long low, long middle, long high) {
    static final Numbers NONE = new Numbers(0, 0, 0, 0);

    /// @param isNew whether it is the first at all
    Numbers and(PriceRange range, boolean isNew) {
      return new Numbers(
          isNew ? total + 1 : total,
          range == PriceRange.LOW ? low + 1 : low,
          range == PriceRange.MIDDLE ? middle + 1 : middle,
          range == PriceRange.HIGH ? high + 1 : high);
    }

    long fingerprint() {
      return Fingerprint.of(total, low, middle, high);
    }
  }
}
