package dev.millrace.benchmarks.nexmark.query;

import static dev.millrace.api.Windows.hopping;
import static dev.millrace.api.Windows.tumbling;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofSeconds;

import dev.millrace.api.Aggregate;
import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Fingerprint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Which auctions had most bids in the last ten seconds, every two seconds; all of those that tie.
public final class Q5HotItems implements Query<Q5HotItems.HotItem> {
  private static final Duration SIZE = ofSeconds(10);
  private static final Duration EVERY = ofSeconds(2);

  /// An auction of those with most bids in a window.
  public record HotItem(long auction, long bids, long startMillis, long endMillis) {}

  /// Those with most bids so far.
  private record Hottest(long bids, List<HotItem> items) {
    static final Hottest NONE = new Hottest(0, List.of());

    Hottest and(HotItem item) {
      return item.bids < bids ? this : and(item.bids, List.of(item));
    }

    Hottest and(Hottest other) {
      return other.bids < bids ? this : and(other.bids, other.items);
    }

    private Hottest and(long theirBids, List<HotItem> theirs) {
      List<HotItem> all = new ArrayList<>(theirBids == bids ? items : List.of());
      all.addAll(theirs);
      return new Hottest(theirBids, List.copyOf(all));
    }
  }

  @Override
  public Class<HotItem> type() {
    return HotItem.class;
  }

  @Override
  public void build(Events events, Results<HotItem> results) {
    results.take(
        events
            .bids()
            .map(Bare::bid)
            .groupBy("bids-by-auction", Bid::auction)
            .window(hopping(SIZE, EVERY).allowedLateness(ZERO))
            .count("bids-of-auction")
            .results(counted ->
                new HotItem(
                    counted.key(),
                    counted.value(),
                    counted.window().start().toEpochMilli(),
                    counted.window().end().toEpochMilli()))
            // All results of a window have the time of its end: a window each, of the next size.
            .groupBy("counts-by-window", HotItem::endMillis)
            .window(tumbling(EVERY).allowedLateness(ZERO))
            .aggregate("hottest", Aggregate.merging(() -> Hottest.NONE, Hottest::and, Hottest::and))
            .results(hottest -> hottest.value())
            .flatMap(Hottest::items));
  }

  @Override
  public long fingerprint(HotItem item) {
    return Fingerprint.of(item.auction, item.bids, item.startMillis, item.endMillis);
  }
}
