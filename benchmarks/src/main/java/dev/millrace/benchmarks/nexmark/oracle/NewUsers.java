package dev.millrace.benchmarks.nexmark.oracle;

import dev.millrace.benchmarks.nexmark.model.Auction;
import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Event;
import dev.millrace.benchmarks.nexmark.model.Person;
import dev.millrace.benchmarks.nexmark.query.Q8NewUsers.NewSeller;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// Who came and who sold within ten seconds: q8.
final class NewUsers implements Oracle {
  private static final long SIZE = 10_000;

  private final Map<Long, String> people = new HashMap<>();
  private final Set<Long> sellers = new HashSet<>();
  private final Consumer<Object> out;
  private long start;

  NewUsers(Consumer<Object> out) {
    this.out = out;
  }

  @Override
  public void add(Event event) {
    if (event.timeMillis() / SIZE * SIZE != start) {
      end();
      start = event.timeMillis() / SIZE * SIZE;
    }
    switch (event) {
      case Person person -> people.put(person.id(), person.name());
      case Auction auction -> sellers.add(auction.seller());
      case Bid _ -> {}
    }
  }

  @Override
  public void end() {
    people.forEach((id, name) -> {
      if (sellers.contains(id)) {
        out.accept(new NewSeller(id, name, start));
      }
    });
    people.clear();
    sellers.clear();
  }
}
