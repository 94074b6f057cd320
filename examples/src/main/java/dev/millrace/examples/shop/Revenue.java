package dev.millrace.examples.shop;

import dev.millrace.api.Aggregate;
import java.util.Comparator;

/// What was sold of something.
record Revenue(long units, long cents) implements Comparable<Revenue> {
  private static final Revenue NONE = new Revenue(0, 0);
  private static final Comparator<Revenue> ORDER =
      Comparator.comparingLong(Revenue::cents).thenComparingLong(Revenue::units);

  /// Adds up sales. A sale can be taken out again, so none is kept.
  static Aggregate<Revenue, Sale> ofSales() {
    return Aggregate.invertible(
        () -> NONE,
        (revenue, sale) -> revenue.plus(sale.units(), sale.cents()),
        (one, other) -> one.plus(other.units, other.cents),
        (revenue, sale) -> revenue.plus(-sale.units(), -sale.cents()));
  }

  private Revenue plus(long moreUnits, long moreCents) {
    return new Revenue(units + moreUnits, cents + moreCents);
  }

  @Override
  public int compareTo(Revenue other) {
    return ORDER.compare(this, other);
  }
}
