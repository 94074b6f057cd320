package dev.millrace.benchmarks.nexmark.query;

import dev.millrace.benchmarks.nexmark.model.Fingerprint;

/// How many bids, bidders and auctions there are on each day.
public final class Q15BidStatistics implements Query<Statistics> {
  @Override
  public Class<Statistics> type() {
    return Statistics.class;
  }

  @Override
  public void build(Events events, Results<Statistics> results) {
    results.take(BidStatistics.of(events.bids().map(Bare::bid), _ -> ""));
  }

  @Override
  public long fingerprint(Statistics statistics) {
    return Fingerprint.of(
        Fingerprint.text(statistics.day()),
        statistics.bids().fingerprint(),
        statistics.bidders().fingerprint(),
        statistics.auctions().fingerprint());
  }
}
