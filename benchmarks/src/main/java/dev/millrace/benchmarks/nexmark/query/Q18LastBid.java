package dev.millrace.benchmarks.nexmark.query;

import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Fingerprint;

/// The last bid of each user for each auction.
public final class Q18LastBid implements Query<Bid> {
  private record Key(long bidder, long auction) {}

  @Override
  public Class<Bid> type() {
    return Bid.class;
  }

  @Override
  public void build(Events events, Results<Bid> results) {
    results.take(
        events
            .bids()
            .groupBy("bids-by-bidder-and-auction", bid -> new Key(bid.bidder(), bid.auction()))
            .reduce("last-bids", (one, other) -> later(one, other))
            .conflated()
            .toChangelogStream());
  }

  private static Bid later(Bid one, Bid other) {
    return other.timeMillis() < one.timeMillis() ? one : other;
  }

  @Override
  public long fingerprint(Bid bid) {
    return Fingerprint.of(bid.auction(), bid.bidder(), bid.timeMillis());
  }
}
