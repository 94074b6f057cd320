package dev.millrace.benchmarks.nexmark.query;

import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Fingerprint;

/// Computes this and that of bids within a range of prices.
public final class Q14Calculation implements Query<Q14Calculation.Calculated> {
  /// In thousandths of cents.
  private static final long ABOVE = 1_000_000_000;

  private static final long BELOW = 50_000_000_000L;

  /// @param price in thousandths of a cent
  /// @param part `dayTime`, `nightTime` or `otherTime`
  /// @param letters how often the text has a c
  public record Calculated(
      long auction,
      long bidder,
      long price,
      String part,
      long timeMillis,
      String extra,
      long letters) {
    static Calculated of(Bid bid) {
      return new Calculated(
          bid.auction(),
          bid.bidder(),
          Q1Currency.euros(bid.price()),
          partOfDay(Times.hour(bid.timeMillis())),
          bid.timeMillis(),
          bid.extra(),
          count(bid.extra(), 'c'));
    }
  }

  private static String partOfDay(int hour) {
    if (hour >= 8 && hour <= 18) {
      return "dayTime";
    }
    return hour <= 6 || hour >= 20 ? "nightTime" : "otherTime";
  }

  /// How often a text has a letter.
  public static long count(String text, char letter) {
    long count = 0;
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == letter) {
        count++;
      }
    }
    return count;
  }

  @Override
  public Class<Calculated> type() {
    return Calculated.class;
  }

  @Override
  public void build(Events events, Results<Calculated> results) {
    results.take(
        events
            .bids()
            .filter(bid ->
                Q1Currency.euros(bid.price()) > ABOVE && Q1Currency.euros(bid.price()) < BELOW)
            .map(Calculated::of));
  }

  @Override
  public long fingerprint(Calculated bid) {
    return Fingerprint.of(
        bid.auction,
        bid.bidder,
        bid.price,
        Fingerprint.text(bid.part),
        bid.timeMillis,
        Fingerprint.text(bid.extra),
        bid.letters);
  }
}
