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

  /// What is counted and added up, in a record of its own since version 2.
  record Amounts(long count, long sum) {
    static final Amounts NONE = new Amounts(0, 0);

    Amounts plus(Event event) {
      return new Amounts(count + 1, sum + event.amount());
    }
  }

  /// Version 2, which loses nothing of the one before.
  record Nested(Amounts amounts, long last, byte[] padding, long largest, long numbered)
      implements Kept {
    static final Nested NONE = new Nested(Amounts.NONE, Event.UNNUMBERED, new byte[0], 0, 0);

    static Nested of(WithNumbered old) {
      return new Nested(
          new Amounts(old.count, old.sum), old.last, old.padding, old.largest, old.numbered);
    }

    WithNumbered back() {
      return new WithNumbered(amounts.count, amounts.sum, last, padding, largest, numbered);
    }

    @Override
    public long counted() {
      return amounts.count;
    }

    @Override
    public long sum() {
      return amounts.sum;
    }

    Nested plus(Event event) {
      return new Nested(
          amounts.plus(event),
          event.number(),
          padded(padding, event),
          Math.max(largest, event.amount()),
          event.number() == Event.UNNUMBERED ? numbered : numbered + 1);
    }
  }

  /// Version 3, from which nobody can tell what was the largest amount.
  record Mean(double mean, Amounts amounts, long last, byte[] padding) implements Kept {
    static final Mean NONE = new Mean(0, Amounts.NONE, Event.UNNUMBERED, new byte[0]);

    private Mean(Amounts amounts, long last, byte[] padding) {
      this((double) amounts.sum / amounts.count, amounts, last, padding);
    }

    static Mean of(Nested old) {
      return new Mean(old.amounts, old.last, old.padding);
    }

    @Override
    public long counted() {
      return amounts.count;
    }

    @Override
    public long sum() {
      return amounts.sum;
    }

    Mean plus(Event event) {
      return new Mean(amounts.plus(event), event.number(), padded(padding, event));
    }
  }

  private static byte[] padded(byte[] padding, Event event) {
    return padding.length == 0 ? Padding.of(event.key()) : padding;
  }
}
