package dev.millrace.testkit.sim;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Split;
import org.jspecify.annotations.Nullable;

/// A record that a job reads.
///
/// @param timestamp milliseconds since 1970 (UTC)
/// @param headers in the encoding of [dev.millrace.spi.Headers]
public record InputRecord(
    Split split, long timestamp, @Nullable Bytes key, @Nullable Bytes value, Bytes headers) {

  /// Without headers.
  public InputRecord(Split split, long timestamp, @Nullable Bytes key, @Nullable Bytes value) {
    this(split, timestamp, key, value, Bytes.of(new byte[0]));
  }
}
