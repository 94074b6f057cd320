package dev.millrace.benchmarks.nexmark.oracle;

import dev.millrace.benchmarks.nexmark.model.Auction;
import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Event;
import dev.millrace.benchmarks.nexmark.model.Person;
import dev.millrace.benchmarks.nexmark.query.AuctionBid;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/// Each bid for an auction of a category with the auction: q20.
final class BidsAndAuctions implements Oracle {
  private final Map<Long, Auction> auctions = new HashMap<>();

  /// Those that came before their auctions.
  private final Map<Long, List<Bid>> early = new HashMap<>();

  private final Consumer<Object> out;
  private long lastAuction = -1;

  BidsAndAuctions(Consumer<Object> out) {
    this.out = out;
  }

  @Override
  public void add(Event event) {
    switch (event) {
      case Auction auction -> {
        lastAuction = auction.id();
        List<Bid> bids = Objects.requireNonNullElse(early.remove(auction.id()), List.of());
        if (auction.category() == 10) {
          auctions.put(auction.id(), auction);
          bids.forEach(bid -> out.accept(new AuctionBid(auction, bid)));
        }
      }
      case Bid bid -> {
        Auction auction = auctions.get(bid.auction());
        if (auction != null) {
          out.accept(new AuctionBid(auction, bid));
        } else if (bid.auction() > lastAuction) {
          early.computeIfAbsent(bid.auction(), _ -> new ArrayList<>()).add(bid);
        }
      }
      case Person _ -> {}
    }
  }

  @Override
  public void end() {}
}
