package dev.millrace.benchmarks.nexmark.query;

import dev.millrace.benchmarks.nexmark.model.Fingerprint;

/// Logs all bids, with the day and the minute by which the log is cut into parts.
public final class Q10Log implements Query<Q10Log.LoggedBid> {

  /// @param day such as `2015-07-15`
  /// @param minute such as `09:05`
  public record LoggedBid(
      long auction,
      long bidder,
      long price,
      long timeMillis,
      String extra,
      String day,
      String minute) {}

  @Override
  public Class<LoggedBid> type() {
    return LoggedBid.class;
  }

  @Override
  public void build(Events events, Results<LoggedBid> results) {
    results.take(
        events
            .bids()
            .map(bid ->
                new LoggedBid(
                    bid.auction(),
                    bid.bidder(),
                    bid.price(),
                    bid.timeMillis(),
                    bid.extra(),
                    Times.day(bid.timeMillis()),
                    Times.minute(bid.timeMillis()))));
  }

  @Override
  public long fingerprint(LoggedBid bid) {
    return Fingerprint.of(
        bid.auction,
        bid.bidder,
        bid.price,
        bid.timeMillis,
        Fingerprint.text(bid.extra),
        Fingerprint.text(bid.day),
        Fingerprint.text(bid.minute));
  }
}
