package dev.millrace.benchmarks.nexmark.query;

import dev.millrace.api.Aggregate;
import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Fingerprint;

/// How many bids each auction has on a day, and their prices.
public final class Q17AuctionStatistics implements Query<Q17AuctionStatistics.OfAuction> {

  /// @param low bids below 100
  /// @param middle bids from 100 to below 10,000
  /// @param high bids from 10,000 on
  /// @param average in whole cents, rounded down
  public record OfAuction(
      long auction,
      String day,
      long total,
      long low,
      long middle,
      long high,
      long least,
      long most,
      long average,
      long sum) {}

  private record Key(long auction, long epochDay) {}

  private record Statistics(
      long auction,
      long timeMillis,
      long total,
      long low,
      long middle,
      long high,
      long least,
      long most,
      long sum) {
    static final Statistics NONE = new Statistics(0, 0, 0, 0, 0, 0, Long.MAX_VALUE, 0, 0);

    Statistics and(Bid bid) {
      long price = bid.price();
      PriceRange range = PriceRange.of(price);
      return new Statistics(
          bid.auction(),
          bid.timeMillis(),
          total + 1,
          range == PriceRange.LOW ? low + 1 : low,
          range == PriceRange.MIDDLE ? middle + 1 : middle,
          range == PriceRange.HIGH ? high + 1 : high,
          Math.min(least, price),
          Math.max(most, price),
          sum + price);
    }

    Statistics and(Statistics later) {
      return new Statistics(
          later.auction,
          later.timeMillis,
          total + later.total,
          low + later.low,
          middle + later.middle,
          high + later.high,
          Math.min(least, later.least),
          Math.max(most, later.most),
          sum + later.sum);
    }

    OfAuction result() {
      return new OfAuction(
          auction, Times.day(timeMillis), total, low, middle, high, least, most, sum / total, sum);
    }
  }

  @Override
  public Class<OfAuction> type() {
    return OfAuction.class;
  }

  @Override
  public void build(Events events, Results<OfAuction> results) {
    results.take(
        events
            .bids()
            .map(Bare::bid)
            .groupBy(
                "bids-by-auction-and-day",
                bid -> new Key(bid.auction(), Times.epochDay(bid.timeMillis())))
            .aggregate(
                "statistics",
                Aggregate.merging(() -> Statistics.NONE, Statistics::and, Statistics::and))
            .conflated()
            .mapValues(Statistics::result)
            .toChangelogStream());
  }

  @Override
  public long fingerprint(OfAuction statistics) {
    return Fingerprint.of(
        statistics.auction,
        Fingerprint.text(statistics.day),
        statistics.total,
        statistics.low,
        statistics.middle,
        statistics.high,
        statistics.least,
        statistics.most,
        statistics.average,
        statistics.sum);
  }
}
