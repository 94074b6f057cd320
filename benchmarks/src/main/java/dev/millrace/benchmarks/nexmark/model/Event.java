package dev.millrace.benchmarks.nexmark.model;

import java.time.Instant;

/// Something that happens at the auctions.
public sealed interface Event permits Person, Auction, Bid {

  /// When it happens, in milliseconds since 1970 (UTC).
  long timeMillis();

  /// The same.
  default Instant time() {
    return Instant.ofEpochMilli(timeMillis());
  }
}
