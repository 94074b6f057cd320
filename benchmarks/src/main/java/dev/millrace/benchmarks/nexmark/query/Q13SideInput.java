package dev.millrace.benchmarks.nexmark.query;

import static dev.millrace.api.With.broadcast;

import dev.millrace.benchmarks.nexmark.model.Fingerprint;

/// Adds to each bid what a table, which does not change, has for it.
public final class Q13SideInput implements Query<Q13SideInput.WithText> {
  /// How many keys the table has.
  public static final long KEYS = 10_000;

  /// A bid and what the table has for it.
  public record WithText(long auction, long bidder, long price, long timeMillis, String value) {}

  @Override
  public Class<WithText> type() {
    return WithText.class;
  }

  @Override
  public void build(Events events, Results<WithText> results) {
    results.take(
        events
            .bids()
            .join(
                "side-input",
                broadcast(events.sideInput(), bid -> bid.auction() % KEYS),
                (bid, value) ->
                    new WithText(
                        bid.auction(), bid.bidder(), bid.price(), bid.timeMillis(), value)));
  }

  @Override
  public long fingerprint(WithText bid) {
    return Fingerprint.of(
        bid.auction, bid.bidder, bid.price, bid.timeMillis, Fingerprint.text(bid.value));
  }
}
