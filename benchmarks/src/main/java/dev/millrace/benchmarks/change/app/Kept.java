package dev.millrace.benchmarks.change.app;

import dev.millrace.benchmarks.change.peer.Event;
import dev.millrace.benchmarks.change.peer.Padding;

/// What a program keeps for a key; a version of the record for each.
sealed interface Kept {
  /// How many events there were.
  long counted();

  /// Their amounts.
  long sum();

  /// The number of the last event.
  long last();

  byte[] padding();

  /// As it is at first.
  ///
  /// @param padding empty until the key's first event
  record Plain(int count, long sum, long last, byte[] padding) implements Kept {
    static final Plain NONE = new Plain(0, 0, Event.UNNUMBERED, new byte[0]);

    @Override
    public long counted() {
      return count;
    }

    Plain plus(Event event) {
      return new Plain(count + 1, sum + event.amount(), event.number(), padded(padding, event));
    }
  }

  /// With a component more.
  ///
  /// @param largest amount since there is such a component
  record WithLargest(int count, long sum, long last, byte[] padding, long largest) implements Kept {
    static final WithLargest NONE = new WithLargest(0, 0, Event.UNNUMBERED, new byte[0], 0);

    @Override
    public long counted() {
      return count;
    }

    WithLargest plus(Event event) {
      return new WithLargest(
          count + 1,
          sum + event.amount(),
          event.number(),
          padded(padding, event),
          Math.max(largest, event.amount()));
    }
  }

  /// With a larger count.
  record Wide(long count, long sum, long last, byte[] padding, long largest) implements Kept {
    static final Wide NONE = new Wide(0, 0, Event.UNNUMBERED, new byte[0], 0);

    @Override
    public long counted() {
      return count;
    }

    Wide plus(Event event) {
      return new Wide(
          count + 1,
          sum + event.amount(),
          event.number(),
          padded(padding, event),
          Math.max(largest, event.amount()));
    }
  }

  /// With yet another component.
  ///
  /// @param numbered events since there is such a component
  record WithNumbered(long count, long sum, long last, byte[] padding, long largest, long numbered)
      implements Kept {
    static final WithNumbered NONE = new WithNumbered(0, 0, Event.UNNUMBERED, new byte[0], 0, 0);

    @Override
    public long counted() {
      return count;
    }

    WithNumbered plus(Event event) {
      return new WithNumbered(
          count + 1,
          sum + event.amount(),
          event.number(),
          padded(padding, event),
          Math.max(largest, event.amount()),
          event.number() == Event.UNNUMBERED ? numbered : numbered + 1);
    }
  }

  private static byte[] padded(byte[] padding, Event event) {
    return padding.length == 0 ? Padding.of(event.key()) : padding;
  }
}
