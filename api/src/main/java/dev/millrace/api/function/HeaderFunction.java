package dev.millrace.api.function;

import dev.millrace.api.serde.RecordHeaders;
import java.io.Serializable;

/// Says which headers a record gets that a sink writes.
///
/// @param <K> the keys that are written
/// @param <V> the values
@FunctionalInterface
public interface HeaderFunction<K, V> extends Serializable {

  /// Changes the headers of a record. A pure function, called once for each record that is written.
  ///
  /// @param record that is written, under the key that it gets; its [headers][Record#headers] are
  ///   those it came with. Valid during the call
  /// @param headers what is written; at first those that the record came with, none if it takes
  ///   back another
  void set(Record<K, V> record, RecordHeaders headers);
}
