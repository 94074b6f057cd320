package dev.millrace.benchmarks.nexmark.query;

import dev.millrace.benchmarks.nexmark.model.Fingerprint;

/// The average price of the last ten auctions of each seller, whenever one of them has ended.
public final class Q6AverageOfSeller implements Query<Q6AverageOfSeller.AverageOfSeller> {

  /// @param auction the last of them
  /// @param price in whole cents, rounded down
  public record AverageOfSeller(long seller, long auction, long price) {}

  /// What somebody has sold.
  record Sold(long seller, long auction, long endMillis, long price) {}

  @Override
  public Class<AverageOfSeller> type() {
    return AverageOfSeller.class;
  }

  @Override
  public void build(Events events, Results<AverageOfSeller> results) {
    results.take(
        WinningBids.of(events.bidding().map(Bare::event))
            .mapValues(won ->
                new Sold(
                    won.auction().seller(),
                    won.auction().id(),
                    won.auction().expiresMillis(),
                    won.bid().price()))
            .groupBy("sold-by-seller", Sold::seller)
            .stream()
            .process("averages", LastSold::new, LastSold.SALES));
  }

  @Override
  public long fingerprint(AverageOfSeller average) {
    return Fingerprint.of(average.seller, average.auction, average.price);
  }
}
