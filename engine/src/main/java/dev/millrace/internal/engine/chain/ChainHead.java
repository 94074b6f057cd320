package dev.millrace.internal.engine.chain;

import dev.millrace.api.function.EventTime;
import dev.millrace.api.function.Watermark;
import dev.millrace.api.serde.Serde;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Where the records of a stream come in.
///
/// A record without a value has its own timestamp as event time, where there may be any.
///
/// @param deletion the value that a record without one stands for; null if it stands for none
/// @param table whether a record may have no value
record ChainHead(
    Step step,
    Serde<Object> valueSerde,
    @Nullable EventTime<Object> eventTime,
    @Nullable Watermark<Object> watermark,
    @Nullable Duration refusedAhead,
    @Nullable Object deletion,
    boolean table) {

  /// Whether values are read before any step asks for them.
  boolean readsValues() {
    return eventTime != null || watermark != null || deletion != null;
  }

  boolean mayLackValues() {
    return table || deletion != null;
  }
}
