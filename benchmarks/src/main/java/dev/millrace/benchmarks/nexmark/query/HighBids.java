package dev.millrace.benchmarks.nexmark.query;

import dev.millrace.benchmarks.nexmark.model.Bid;
import java.util.ArrayList;
import java.util.List;

/// The highest bids for an auction.
///
/// @param bids at most ten, the highest first; of equal ones that which came first
record HighBids(List<Bid> bids) {
  static final HighBids NONE = new HighBids(List.of());

  private static final int MOST = 10;

  /// Whether a bid is among the highest.
  private boolean takes(Bid bid) {
    return bids.size() < MOST || bids.getLast().price() < bid.price();
  }

  /// With one more; the same if that is not among the highest.
  HighBids and(Bid bid) {
    if (!takes(bid)) {
      return this;
    }
    int place = bids.size();
    while (place > 0 && bids.get(place - 1).price() < bid.price()) {
      place--;
    }
    List<Bid> all = new ArrayList<>(bids.size() + 1);
    all.addAll(bids);
    all.add(place, bid);
    if (all.size() > MOST) {
      all.removeLast();
    }
    return new HighBids(List.copyOf(all));
  }
}
