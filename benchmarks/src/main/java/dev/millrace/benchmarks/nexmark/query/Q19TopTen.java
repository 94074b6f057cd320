package dev.millrace.benchmarks.nexmark.query;

import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Fingerprint;
import java.util.List;
import java.util.stream.IntStream;

/// The ten highest bids for each auction.
public final class Q19TopTen implements Query<Q19TopTen.RankedBid> {

  /// @param rank from 1
  public record RankedBid(Bid bid, long rank) {}

  private static List<RankedBid> ranked(HighBids highest) {
    return IntStream.range(0, highest.bids().size())
        .mapToObj(i -> new RankedBid(highest.bids().get(i), i + 1))
        .toList();
  }

  @Override
  public Class<RankedBid> type() {
    return RankedBid.class;
  }

  @Override
  public void build(Events events, Results<RankedBid> results) {
    results.take(
        events
            .bids()
            .groupBy("bids-by-auction", Bid::auction)
            .aggregate("high-bids", () -> HighBids.NONE, HighBids::and)
            .conflated()
            .toChangelogStream()
            .flatMap(Q19TopTen::ranked));
  }

  @Override
  public long fingerprint(RankedBid ranked) {
    return Fingerprint.of(ranked.bid.auction(), ranked.bid.price(), ranked.rank);
  }
}
