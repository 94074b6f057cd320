package dev.millrace.benchmarks.nexmark.query;

import dev.millrace.benchmarks.nexmark.model.Fingerprint;

/// The bid that has won each auction.
public final class Q9WinningBids implements Query<AuctionBid> {
  @Override
  public Class<AuctionBid> type() {
    return AuctionBid.class;
  }

  @Override
  public void build(Events events, Results<AuctionBid> results) {
    results.take(WinningBids.of(events.bidding()));
  }

  @Override
  public long fingerprint(AuctionBid won) {
    return Fingerprint.of(
        won.auction().id(),
        Fingerprint.text(won.auction().itemName()),
        Fingerprint.text(won.auction().description()),
        won.auction().seller(),
        won.bid().price(),
        won.bid().timeMillis());
  }
}
