package dev.millrace.benchmarks.nexmark.query;

import static dev.millrace.api.Windows.tumbling;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofSeconds;

import dev.millrace.api.Aggregate;
import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Fingerprint;
import java.util.ArrayList;
import java.util.List;

/// The highest bids of every ten seconds; all of those that tie.
public final class Q7HighestBid implements Query<Bid> {
  /// @param bids that have it
  private record Highest(long price, List<Bid> bids) {
    static final Highest NONE = new Highest(0, List.of());

    Highest and(Bid bid) {
      return bid.price() < price ? this : and(bid.price(), List.of(bid));
    }

    Highest and(Highest other) {
      return other.price < price ? this : and(other.price, other.bids);
    }

    private Highest and(long theirPrice, List<Bid> theirs) {
      List<Bid> all = new ArrayList<>(theirPrice == price ? bids : List.of());
      all.addAll(theirs);
      return new Highest(theirPrice, List.copyOf(all));
    }
  }

  @Override
  public Class<Bid> type() {
    return Bid.class;
  }

  @Override
  public void build(Events events, Results<Bid> results) {
    results.take(
        events
            .bids()
            .groupBy("bids-together", _ -> 0L)
            .window(tumbling(ofSeconds(10)).allowedLateness(ZERO))
            .aggregate("highest", Aggregate.merging(() -> Highest.NONE, Highest::and, Highest::and))
            .results(highest -> highest.value())
            .flatMap(Highest::bids));
  }

  @Override
  public long fingerprint(Bid bid) {
    return Fingerprint.of(
        bid.auction(), bid.price(), bid.bidder(), bid.timeMillis(), Fingerprint.text(bid.extra()));
  }
}
