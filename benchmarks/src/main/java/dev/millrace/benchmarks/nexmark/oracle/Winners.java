package dev.millrace.benchmarks.nexmark.oracle;

import dev.millrace.benchmarks.nexmark.model.Auction;
import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Event;
import dev.millrace.benchmarks.nexmark.model.Person;
import dev.millrace.benchmarks.nexmark.query.AuctionBid;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/// The winning bids, in the order in which the auctions end, and of their ids: q9, and what q4 and
/// q6 are made of. An auction is settled from the list of all bids for it.
final class Winners implements Oracle {
  private static final Comparator<Bid> BEST_FIRST =
      Comparator.comparingLong(Bid::price).reversed().thenComparingLong(Bid::timeMillis);

  private final Map<Long, List<Bid>> bids = new HashMap<>();
  private final PriorityQueue<Auction> open =
      new PriorityQueue<>(
          Comparator.comparingLong(Auction::expiresMillis).thenComparingLong(Auction::id));
  private final Consumer<AuctionBid> out;

  Winners(Consumer<AuctionBid> out) {
    this.out = out;
  }

  @Override
  public void add(Event event) {
    settle(event.timeMillis());
    switch (event) {
      case Auction auction -> open.add(auction);
      case Bid bid -> bids.computeIfAbsent(bid.auction(), _ -> new ArrayList<>()).add(bid);
      case Person _ -> {}
    }
  }

  @Override
  public void end() {
    settle(Long.MAX_VALUE);
  }

  /// Those that ended before.
  private void settle(long millis) {
    while (!open.isEmpty() && open.element().expiresMillis() < millis) {
      Auction ended = open.remove();
      bids.getOrDefault(ended.id(), List.of()).stream()
          .filter(bid ->
              ended.timeMillis() <= bid.timeMillis() && bid.timeMillis() <= ended.expiresMillis())
          .min(BEST_FIRST)
          .ifPresent(best -> out.accept(new AuctionBid(ended, best)));
      bids.remove(ended.id());
    }
  }
}
