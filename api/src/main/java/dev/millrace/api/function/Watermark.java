package dev.millrace.api.function;

import java.io.Serializable;
import java.time.Instant;

/// Says up to when the records of a partition have come, for sources that know it better than a
/// bound on their disorder: for instance from marks among the records.
@FunctionalInterface
public interface Watermark<V> extends Serializable {

  /// Where the watermark stands behind a record: no record from before that is expected any more in
  /// the record's partition. A pure function; what it was before, it remains if this is earlier.
  ///
  /// @param before what it was; `Instant.MIN` before the first record
  /// @param time the record's event time
  Instant after(Instant before, V value, Instant time);
}
