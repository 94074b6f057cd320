package dev.millrace.benchmarks.jet;

import dev.millrace.benchmarks.scenarios.Event;
import dev.millrace.benchmarks.scenarios.Tally;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/// The count of a key, which answers records that ask.
final class Answering implements Serializable {
  private static final long serialVersionUID = 1;

  /// Jet has no place for what belongs to a thread.
  private static final ThreadLocal<Tally> TALLY = ThreadLocal.withInitial(Tally::create);

  private long count;

  /// Null for a record that is counted.
  static @Nullable KeyedBytes answer(Answering counted, long key, KeyedBytes event) {
    TALLY.get().add(1);
    if (Event.asks(event.value(), 0)) {
      return new KeyedBytes(key, Event.toBytes(counted.count));
    }
    counted.count++;
    return null;
  }

  /// Hands a record on.
  static KeyedBytes tallied(KeyedBytes event) {
    TALLY.get().add(1);
    return event;
  }
}
