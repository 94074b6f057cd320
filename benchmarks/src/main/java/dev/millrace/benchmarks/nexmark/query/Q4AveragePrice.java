package dev.millrace.benchmarks.nexmark.query;

import dev.millrace.api.Aggregate;
import dev.millrace.benchmarks.nexmark.model.Fingerprint;

/// The average price of the auctions of each category.
public final class Q4AveragePrice implements Query<Q4AveragePrice.AverageOfCategory> {

  /// @param price in whole cents, rounded down
  public record AverageOfCategory(long category, long price) {}

  private record Sold(long category, long price) {}

  private record Sales(long category, long count, long sum) {
    Sales and(Sold sold) {
      return new Sales(sold.category, count + 1, sum + sold.price);
    }

    Sales and(Sales later) {
      return new Sales(later.category, count + later.count, sum + later.sum);
    }

    AverageOfCategory average() {
      return new AverageOfCategory(category, sum / count);
    }
  }

  @Override
  public Class<AverageOfCategory> type() {
    return AverageOfCategory.class;
  }

  @Override
  public void build(Events events, Results<AverageOfCategory> results) {
    results.take(
        WinningBids.of(events.bidding().map(Bare::event))
            .mapValues(won -> new Sold(won.auction().category(), won.bid().price()))
            .groupBy("sold-by-category", Sold::category)
            .aggregate("sales", Aggregate.merging(() -> new Sales(0, 0, 0), Sales::and, Sales::and))
            .conflated()
            .mapValues(Sales::average)
            .toChangelogStream());
  }

  @Override
  public long fingerprint(AverageOfCategory average) {
    return Fingerprint.of(average.category, average.price);
  }
}
