package dev.millrace.benchmarks.nexmark.query;

import dev.millrace.benchmarks.nexmark.model.Auction;
import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Event;
import dev.millrace.benchmarks.nexmark.model.Person;

/// Events without their texts, for queries that do not ask for them: less goes through an exchange
/// and into stores.
final class Bare {
  private Bare() {}

  static Event event(Event event) {
    return switch (event) {
      case Person person -> new Person(person.id(), "", "", "", "", "", person.timeMillis(), "");
      case Auction auction -> auction(auction);
      case Bid bid -> bid(bid);
    };
  }

  static Auction auction(Auction auction) {
    return new Auction(
        auction.id(),
        "",
        "",
        auction.initialBid(),
        auction.reserve(),
        auction.timeMillis(),
        auction.expiresMillis(),
        auction.seller(),
        auction.category(),
        "");
  }

  static Bid bid(Bid bid) {
    return new Bid(bid.auction(), bid.bidder(), bid.price(), "", "", bid.timeMillis(), "");
  }
}
