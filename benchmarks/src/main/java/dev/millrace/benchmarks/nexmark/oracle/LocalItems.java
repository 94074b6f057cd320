package dev.millrace.benchmarks.nexmark.oracle;

import dev.millrace.benchmarks.nexmark.model.Auction;
import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Event;
import dev.millrace.benchmarks.nexmark.model.Person;
import dev.millrace.benchmarks.nexmark.query.Q3LocalItems.LocalItem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/// Who sells what, in the end: q3.
final class LocalItems implements Oracle {
  private final Map<Long, Person> people = new HashMap<>();
  private final Map<Long, List<Long>> auctionsOfSellers = new HashMap<>();
  private final Consumer<Object> out;

  LocalItems(Consumer<Object> out) {
    this.out = out;
  }

  @Override
  public void add(Event event) {
    switch (event) {
      case Person person -> people.put(person.id(), person);
      case Auction auction -> {
        if (auction.category() == 10) {
          auctionsOfSellers
              .computeIfAbsent(auction.seller(), _ -> new ArrayList<>())
              .add(auction.id());
        }
      }
      case Bid _ -> {}
    }
  }

  @Override
  public void end() {
    auctionsOfSellers.forEach((seller, auctions) -> {
      Person person = people.get(seller);
      if (person != null && person.state().matches("OR|ID|CA")) {
        for (long auction : auctions) {
          out.accept(new LocalItem(person.name(), person.city(), person.state(), auction));
        }
      }
    });
  }
}
