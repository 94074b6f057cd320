package dev.millrace.benchmarks.nexmark.model;

/// Somebody bids.
///
/// @param auction the id of an [Auction], which may open a little later
/// @param bidder the id of a [Person], who may come a little later
/// @param price in cents
/// @param channel over which the bid comes
/// @param url of the page on which it was made
public record Bid(
    long auction,
    long bidder,
    long price,
    String channel,
    String url,
    long timeMillis,
    String extra)
    implements Event {}
