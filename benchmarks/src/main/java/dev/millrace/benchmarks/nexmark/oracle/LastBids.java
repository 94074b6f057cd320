package dev.millrace.benchmarks.nexmark.oracle;

import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Event;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/// The bid of each user for each auction behind which none comes: q18.
final class LastBids implements Oracle {
  private record Pair(long bidder, long auction) {}

  private final Map<Pair, Bid> last = new HashMap<>();
  private final Consumer<Object> out;

  LastBids(Consumer<Object> out) {
    this.out = out;
  }

  @Override
  public void add(Event event) {
    if (event instanceof Bid bid) {
      last.put(new Pair(bid.bidder(), bid.auction()), bid);
    }
  }

  @Override
  public void end() {
    last.values().forEach(out);
  }
}
