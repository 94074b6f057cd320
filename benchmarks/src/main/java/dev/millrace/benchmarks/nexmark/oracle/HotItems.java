package dev.millrace.benchmarks.nexmark.oracle;

import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Event;
import dev.millrace.benchmarks.nexmark.query.Q5HotItems.HotItem;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/// Counts each bid in every window that it is in: q5.
final class HotItems implements Oracle {
  private static final long SIZE = 10_000;
  private static final long EVERY = 2_000;

  /// Of each window, by its start.
  private final TreeMap<Long, Map<Long, Long>> counts = new TreeMap<>();

  private final Consumer<Object> out;

  HotItems(Consumer<Object> out) {
    this.out = out;
  }

  @Override
  public void add(Event event) {
    while (!counts.isEmpty() && counts.firstKey() + SIZE <= event.timeMillis()) {
      close();
    }
    if (event instanceof Bid bid) {
      long last = bid.timeMillis() / EVERY * EVERY;
      for (long start = last; start > bid.timeMillis() - SIZE; start -= EVERY) {
        counts.computeIfAbsent(start, _ -> new HashMap<>()).merge(bid.auction(), 1L, Long::sum);
      }
    }
  }

  private void close() {
    long start = counts.firstKey();
    Map<Long, Long> window = counts.getOrDefault(start, Map.of());
    long most = Collections.max(window.values());
    window.forEach((auction, bids) -> {
      if (bids == most) {
        out.accept(new HotItem(auction, bids, start, start + SIZE));
      }
    });
    counts.remove(start);
  }

  @Override
  public void end() {
    while (!counts.isEmpty()) {
      close();
    }
  }
}
