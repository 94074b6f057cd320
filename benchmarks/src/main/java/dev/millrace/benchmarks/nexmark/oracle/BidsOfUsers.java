package dev.millrace.benchmarks.nexmark.oracle;

import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Event;
import dev.millrace.benchmarks.nexmark.query.Q12WindowsOfArrival.BidsThatCame;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/// All bids of each user as if they came at once: q12, whose windows nobody knows before.
final class BidsOfUsers implements Oracle {
  private final Map<Long, Long> counts = new HashMap<>();
  private final Consumer<Object> out;

  BidsOfUsers(Consumer<Object> out) {
    this.out = out;
  }

  @Override
  public void add(Event event) {
    if (event instanceof Bid bid) {
      counts.merge(bid.bidder(), 1L, Long::sum);
    }
  }

  @Override
  public void end() {
    counts.forEach((bidder, bids) -> out.accept(new BidsThatCame(bidder, bids, 0, 0)));
  }
}
