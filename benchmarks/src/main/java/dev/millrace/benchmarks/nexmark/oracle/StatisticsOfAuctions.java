package dev.millrace.benchmarks.nexmark.oracle;

import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Event;
import dev.millrace.benchmarks.nexmark.query.Q17AuctionStatistics.OfAuction;
import java.util.HashMap;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.function.Consumer;

/// Statistics of the prices of each auction and day: q17.
final class StatisticsOfAuctions implements Oracle {
  private record Part(long auction, String day) {}

  private static final class Prices {
    private final LongSummaryStatistics all = new LongSummaryStatistics();
    private final long[] places = new long[4];
  }

  private final Map<Part, Prices> parts = new HashMap<>();
  private final Consumer<Object> out;

  StatisticsOfAuctions(Consumer<Object> out) {
    this.out = out;
  }

  @Override
  public void add(Event event) {
    if (event instanceof Bid bid) {
      Part part = new Part(bid.auction(), EachBid.day(bid.timeMillis()));
      Prices prices = parts.computeIfAbsent(part, _ -> new Prices());
      prices.all.accept(bid.price());
      prices.places[AllStatistics.place(bid.price())]++;
    }
  }

  @Override
  public void end() {
    parts.forEach((part, prices) ->
        out.accept(
            new OfAuction(
                part.auction,
                part.day,
                prices.all.getCount(),
                prices.places[1],
                prices.places[2],
                prices.places[3],
                prices.all.getMin(),
                prices.all.getMax(),
                prices.all.getSum() / prices.all.getCount(),
                prices.all.getSum())));
  }
}
