package dev.millrace.benchmarks.nexmark.oracle;

import dev.millrace.benchmarks.nexmark.model.Event;
import dev.millrace.benchmarks.nexmark.query.AuctionBid;
import dev.millrace.benchmarks.nexmark.query.Q6AverageOfSeller.AverageOfSeller;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/// The average of what each seller has sold last: q6.
final class AveragesOfSellers implements Oracle {
  private final Map<Long, Deque<Long>> lastPrices = new HashMap<>();
  private final Winners winners = new Winners(this::sold);
  private final Consumer<Object> out;

  AveragesOfSellers(Consumer<Object> out) {
    this.out = out;
  }

  private void sold(AuctionBid won) {
    long seller = won.auction().seller();
    Deque<Long> last = lastPrices.computeIfAbsent(seller, _ -> new ArrayDeque<>());
    last.addLast(won.bid().price());
    if (last.size() == 11) {
      last.removeFirst();
    }
    long sum = 0;
    for (long price : last) {
      sum += price;
    }
    out.accept(new AverageOfSeller(seller, won.auction().id(), sum / last.size()));
  }

  @Override
  public void add(Event event) {
    winners.add(event);
  }

  @Override
  public void end() {
    winners.end();
  }
}
