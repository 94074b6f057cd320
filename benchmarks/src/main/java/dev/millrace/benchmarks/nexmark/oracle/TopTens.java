package dev.millrace.benchmarks.nexmark.oracle;

import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Event;
import dev.millrace.benchmarks.nexmark.query.Q19TopTen.RankedBid;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/// The highest bids for each auction: q19.
final class TopTens implements Oracle {
  private static final Comparator<Bid> BY_PRICE = Comparator.comparingLong(Bid::price);

  private final Map<Long, PriorityQueue<Bid>> highest = new HashMap<>();
  private final Consumer<Object> out;

  TopTens(Consumer<Object> out) {
    this.out = out;
  }

  @Override
  public void add(Event event) {
    if (event instanceof Bid bid) {
      PriorityQueue<Bid> bids =
          highest.computeIfAbsent(bid.auction(), _ -> new PriorityQueue<>(BY_PRICE));
      bids.add(bid);
      if (bids.size() > 10) {
        bids.remove();
      }
    }
  }

  @Override
  public void end() {
    for (PriorityQueue<Bid> bids : highest.values()) {
      List<Bid> sorted = new ArrayList<>(bids);
      sorted.sort(BY_PRICE.reversed());
      for (int i = 0; i < sorted.size(); i++) {
        out.accept(new RankedBid(sorted.get(i), i + 1));
      }
    }
  }
}
