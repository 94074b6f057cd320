package dev.millrace.benchmarks.nexmark.query;

import static dev.millrace.api.Windows.tumbling;
import static java.time.Duration.ZERO;
import static java.time.Duration.ofSeconds;

import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Fingerprint;

/// How many bids of each user come within every ten seconds of the clock on the wall.
///
/// The time of an event is the time at which it comes, which the source gives; so the windows are
/// those of event time.
public final class Q12WindowsOfArrival implements Query<Q12WindowsOfArrival.BidsThatCame> {

  /// The bids of a user in a window.
  public record BidsThatCame(long bidder, long bids, long startMillis, long endMillis) {}

  @Override
  public Class<BidsThatCame> type() {
    return BidsThatCame.class;
  }

  @Override
  public void build(Events events, Results<BidsThatCame> results) {
    results.take(
        Events.bids(events.byArrival())
            .map(Bare::bid)
            .groupBy("bids-by-bidder", Bid::bidder)
            .window(tumbling(ofSeconds(10)).allowedLateness(ZERO))
            .count("bids-that-came")
            .results(came ->
                new BidsThatCame(
                    came.key(),
                    came.value(),
                    came.window().start().toEpochMilli(),
                    came.window().end().toEpochMilli())));
  }

  /// Each run has other windows, but all of a user's bids are in one of them.
  @Override
  public long fingerprint(BidsThatCame came) {
    return Fingerprint.of(came.bidder) * came.bids;
  }
}
