package dev.millrace.api.function;

import java.io.Serializable;
import java.time.Instant;

/// Says up to when the records of a partition have come, for sources that know it better than a
/// bound on their disorder: for instance from marks among the records.
@FunctionalInterface
public interface Watermark<V> extends Serializable {

  /// Returns the watermark after a record: no earlier record is expected any more in the record's
  /// partition. A pure function; an earlier result than before changes nothing.
  ///
  /// @param before what it was; `Instant.MIN` before the first record
  /// @param time the record's event time
  Instant after(Instant before, V value, Instant time);
}
