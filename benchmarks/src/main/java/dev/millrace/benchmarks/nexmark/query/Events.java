package dev.millrace.benchmarks.nexmark.query;

import dev.millrace.api.Broadcast;
import dev.millrace.api.Stream;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.api.serde.TypeRef;
import dev.millrace.benchmarks.nexmark.model.Auction;
import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Event;
import dev.millrace.benchmarks.nexmark.model.Person;

/// What the queries are about, without saying where it comes from.
public interface Events {
  /// How events stand in topics.
  Serde<Event> SERDE = Serdes.forType(new TypeRef<Event>() {});

  /// All events at the times at which they happen.
  Stream<Event> all();

  /// All events at the times at which they come.
  Stream<Event> byArrival();

  /// A text for each number from 0 to 9,999.
  Broadcast<Long, String> sideInput();

  default Stream<Person> persons() {
    return all().filter(Person.class::isInstance).map(event -> (Person) event);
  }

  default Stream<Auction> auctions() {
    return all().filter(Auction.class::isInstance).map(event -> (Auction) event);
  }

  default Stream<Bid> bids() {
    return bids(all());
  }

  static Stream<Bid> bids(Stream<Event> events) {
    return events.filter(Bid.class::isInstance).map(event -> (Bid) event);
  }

  /// Auctions and bids.
  default Stream<Event> bidding() {
    return all().filter(event -> !(event instanceof Person));
  }
}
