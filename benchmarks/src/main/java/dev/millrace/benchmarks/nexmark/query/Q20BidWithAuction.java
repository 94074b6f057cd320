package dev.millrace.benchmarks.nexmark.query;

import dev.millrace.benchmarks.nexmark.model.Auction;
import dev.millrace.benchmarks.nexmark.model.Event;
import dev.millrace.benchmarks.nexmark.model.Fingerprint;

/// Each bid for auctions of a category with the auction, whichever of them comes first.
public final class Q20BidWithAuction implements Query<AuctionBid> {
  static final long CATEGORY = 10;

  @Override
  public Class<AuctionBid> type() {
    return AuctionBid.class;
  }

  @Override
  public void build(Events events, Results<AuctionBid> results) {
    results.take(
        events
            .bidding()
            .map(Q20BidWithAuction::asNeeded)
            .groupBy("events-by-auction", WinningBids::auction)
            .stream()
            .process("bids-with-auction", BidsWithAuction::new, BidsWithAuction.STORE));
  }

  /// Of other auctions nothing but their category is.
  private static Event asNeeded(Event event) {
    return event instanceof Auction auction && auction.category() != CATEGORY
        ? Bare.auction(auction)
        : event;
  }

  @Override
  public long fingerprint(AuctionBid both) {
    return Fingerprint.of(
        both.bid().auction(),
        both.bid().bidder(),
        both.bid().price(),
        Fingerprint.text(both.bid().url()),
        both.bid().timeMillis(),
        Fingerprint.text(both.auction().itemName()),
        Fingerprint.text(both.auction().description()),
        both.auction().expiresMillis());
  }
}
