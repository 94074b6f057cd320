package dev.millrace.benchmarks.nexmark.oracle;

import dev.millrace.benchmarks.nexmark.model.Event;
import dev.millrace.benchmarks.nexmark.query.Q4AveragePrice.AverageOfCategory;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/// The average of all winning bids of each category: q4.
final class AveragePrices implements Oracle {
  private final Map<Long, LongSummaryStatistics> prices = new TreeMap<>();
  private final Winners winners =
      new Winners(won ->
          prices
              .computeIfAbsent(won.auction().category(), _ -> new LongSummaryStatistics())
              .accept(won.bid().price()));
  private final Consumer<Object> out;

  AveragePrices(Consumer<Object> out) {
    this.out = out;
  }

  @Override
  public void add(Event event) {
    winners.add(event);
  }

  @Override
  public void end() {
    winners.end();
    prices.forEach((category, all) ->
        out.accept(new AverageOfCategory(category, all.getSum() / all.getCount())));
  }
}
