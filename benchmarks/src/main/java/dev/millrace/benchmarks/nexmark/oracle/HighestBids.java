package dev.millrace.benchmarks.nexmark.oracle;

import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Looks at all bids of ten seconds: q7.
final class HighestBids implements Oracle {
  private static final long SIZE = 10_000;

  private final List<Bid> bids = new ArrayList<>();
  private final Consumer<Object> out;

  HighestBids(Consumer<Object> out) {
    this.out = out;
  }

  @Override
  public void add(Event event) {
    if (event instanceof Bid bid) {
      if (!bids.isEmpty() && bids.getFirst().timeMillis() / SIZE != bid.timeMillis() / SIZE) {
        end();
      }
      bids.add(bid);
    }
  }

  @Override
  public void end() {
    long most = bids.stream().mapToLong(Bid::price).max().orElse(0);
    bids.stream().filter(bid -> bid.price() == most).forEach(out);
    bids.clear();
  }
}
