package dev.millrace.benchmarks.nexmark.model;

/// Somebody offers something.
///
/// @param initialBid in cents
/// @param reserve in cents
/// @param expiresMillis the last moment at which bids count, in milliseconds since 1970 (UTC)
/// @param seller the id of a [Person], who may come a little later
public record Auction(
    long id,
    String itemName,
    String description,
    long initialBid,
    long reserve,
    long timeMillis,
    long expiresMillis,
    long seller,
    long category,
    String extra)
    implements Event {

  /// Whether a bid comes while the auction is open.
  public boolean takes(Bid bid) {
    return bid.timeMillis() >= timeMillis && bid.timeMillis() <= expiresMillis;
  }
}
