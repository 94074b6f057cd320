package dev.millrace.benchmarks.nexmark.query;

import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Fingerprint;

/// Passes bids on.
public final class Q0PassThrough implements Query<Bid> {
  @Override
  public Class<Bid> type() {
    return Bid.class;
  }

  @Override
  public void build(Events events, Results<Bid> results) {
    results.take(events.bids());
  }

  @Override
  public long fingerprint(Bid bid) {
    return Fingerprint.of(
        bid.auction(), bid.bidder(), bid.price(), bid.timeMillis(), Fingerprint.text(bid.extra()));
  }
}
