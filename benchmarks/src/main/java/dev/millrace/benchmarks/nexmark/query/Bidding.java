package dev.millrace.benchmarks.nexmark.query;

import dev.millrace.benchmarks.nexmark.model.Auction;
import dev.millrace.benchmarks.nexmark.model.Bid;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What is known of an auction and its bids.
///
/// @param auction null if only bids have come so far
/// @param early the bids that came before
/// @param best that wins if no better one comes; null if there is none
record Bidding(@Nullable Auction auction, List<Bid> early, @Nullable Bid best) {
  static final Bidding NONE = new Bidding(null, List.of(), null);

  /// Whether a bid makes a difference.
  boolean isChangedBy(Bid bid) {
    return auction == null || (auction.takes(bid) && (best == null || isBetter(bid, best)));
  }

  /// With one more bid that makes a difference.
  Bidding with(Bid bid) {
    if (auction == null) {
      List<Bid> more = new ArrayList<>(early);
      more.add(bid);
      return new Bidding(null, more, null);
    }
    return new Bidding(auction, List.of(), bid);
  }

  /// With the auction, behind the early bids.
  Bidding with(Auction opened) {
    Bidding all = new Bidding(opened, List.of(), null);
    for (Bid bid : early) {
      all = all.isChangedBy(bid) ? all.with(bid) : all;
    }
    return all;
  }

  /// The higher bid wins, of equal ones the first.
  private static boolean isBetter(Bid bid, Bid than) {
    return bid.price() > than.price()
        || (bid.price() == than.price() && bid.timeMillis() < than.timeMillis());
  }
}
