package dev.millrace.benchmarks.nexmark.query;

import dev.millrace.benchmarks.nexmark.model.Auction;
import dev.millrace.benchmarks.nexmark.model.Bid;

/// A bid and the auction that it is for.
public record AuctionBid(Auction auction, Bid bid) {}
