package dev.millrace.benchmarks.nexmark.query;

import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Fingerprint;

/// How many bids, bidders and auctions there are on each channel and day.
public final class Q16ChannelStatistics implements Query<Statistics> {
  @Override
  public Class<Statistics> type() {
    return Statistics.class;
  }

  @Override
  public void build(Events events, Results<Statistics> results) {
    results.take(BidStatistics.of(events.bids(), Bid::channel));
  }

  @Override
  public long fingerprint(Statistics statistics) {
    return Fingerprint.of(
        Fingerprint.text(statistics.channel()),
        Fingerprint.text(statistics.day()),
        Fingerprint.text(statistics.minute()),
        statistics.bids().fingerprint(),
        statistics.bidders().fingerprint(),
        statistics.auctions().fingerprint());
  }
}
