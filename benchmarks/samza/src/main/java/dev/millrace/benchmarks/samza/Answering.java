package dev.millrace.benchmarks.samza;

import dev.millrace.benchmarks.scenarios.Event;
import dev.millrace.benchmarks.scenarios.Tally;
import java.util.Objects;
import org.apache.samza.context.Context;
import org.apache.samza.storage.kv.KeyValueStore;
import org.jspecify.annotations.Nullable;

/// The counts of a task.
final class Answering {
  private @Nullable Tally tally;
  private @Nullable KeyValueStore<Long, Long> store;

  /// To be called before all else.
  @SuppressWarnings("unchecked") // the store is declared with these types
  void open(Context context) {
    store = (KeyValueStore<Long, Long>) context.getTaskContext().getStore(Wiring.STORE);
    tally = Tally.create();
  }

  /// Counts a record; or the count, if it asks.
  byte @Nullable [] take(byte[] key, byte[] event) {
    Objects.requireNonNull(tally).add(1);
    var counts = Objects.requireNonNull(store);
    long counted = Event.toLong(key, 0);
    Long count = counts.get(counted);
    long number = count == null ? 0 : count;
    if (Event.asks(event, 0)) {
      return Event.toBytes(number);
    }
    counts.put(counted, number + 1);
    return null;
  }
}
