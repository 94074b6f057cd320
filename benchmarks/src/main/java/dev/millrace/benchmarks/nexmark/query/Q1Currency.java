package dev.millrace.benchmarks.nexmark.query;

import dev.millrace.benchmarks.nexmark.model.Fingerprint;

/// Tells each bid's price in euros.
public final class Q1Currency implements Query<Q1Currency.InEuros> {
  /// Euros for a thousand dollars.
  private static final long RATE = 908;

  /// @param price in thousandths of a cent
  public record InEuros(long auction, long bidder, long price, long timeMillis, String extra) {}

  /// A price in dollars in euros.
  ///
  /// @param cents of dollars
  /// @return thousandths of cents of euros
  public static long euros(long cents) {
    return cents * RATE;
  }

  @Override
  public Class<InEuros> type() {
    return InEuros.class;
  }

  @Override
  public void build(Events events, Results<InEuros> results) {
    results.take(
        events
            .bids()
            .map(bid ->
                new InEuros(
                    bid.auction(),
                    bid.bidder(),
                    euros(bid.price()),
                    bid.timeMillis(),
                    bid.extra())));
  }

  @Override
  public long fingerprint(InEuros bid) {
    return Fingerprint.of(
        bid.auction, bid.bidder, bid.price, bid.timeMillis, Fingerprint.text(bid.extra));
  }
}
