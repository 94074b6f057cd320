package dev.millrace.benchmarks.nexmark.query;

import dev.millrace.benchmarks.nexmark.model.Bid;
import dev.millrace.benchmarks.nexmark.model.Fingerprint;

/// Bids with the directories of their page's address.
public final class Q22UrlDirectories implements Query<Q22UrlDirectories.WithDirectories> {

  /// A bid and the three directories.
  public record WithDirectories(
      long auction,
      long bidder,
      long price,
      String channel,
      String first,
      String second,
      String third) {
    static WithDirectories of(Bid bid) {
      String[] parts = bid.url().split("/", -1);
      return new WithDirectories(
          bid.auction(),
          bid.bidder(),
          bid.price(),
          bid.channel(),
          part(parts, 3),
          part(parts, 4),
          part(parts, 5));
    }

    private static String part(String[] parts, int number) {
      return number < parts.length ? parts[number] : "";
    }
  }

  @Override
  public Class<WithDirectories> type() {
    return WithDirectories.class;
  }

  @Override
  public void build(Events events, Results<WithDirectories> results) {
    results.take(events.bids().map(WithDirectories::of));
  }

  @Override
  public long fingerprint(WithDirectories bid) {
    return Fingerprint.of(
        bid.auction,
        bid.bidder,
        bid.price,
        Fingerprint.text(bid.channel),
        Fingerprint.text(bid.first),
        Fingerprint.text(bid.second),
        Fingerprint.text(bid.third));
  }
}
