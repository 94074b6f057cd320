package dev.millrace.benchmarks.nexmark.query;

import dev.millrace.benchmarks.nexmark.model.Fingerprint;

/// The bids for some auctions.
public final class Q2Selection implements Query<Q2Selection.Price> {
  private static final long STEP = 123;

  /// A bid's price.
  public record Price(long auction, long price) {}

  @Override
  public Class<Price> type() {
    return Price.class;
  }

  @Override
  public void build(Events events, Results<Price> results) {
    results.take(
        events
            .bids()
            .filter(bid -> bid.auction() % STEP == 0)
            .map(bid -> new Price(bid.auction(), bid.price())));
  }

  @Override
  public long fingerprint(Price price) {
    return Fingerprint.of(price.auction, price.price);
  }
}
