package dev.millrace.testkit.sim;

import java.util.List;

/// What flows through a drawn topology.
///
/// @param at its event time, in milliseconds since 1970 (UTC); that of the record too, everywhere
record Item(String key, long number, long at) implements Comparable<Item> {

  Item withNumber(long newNumber) {
    return new Item(key, newNumber, at);
  }

  /// As many as its number's remainder by three.
  List<Item> several() {
    return switch ((int) (number % 3)) {
      case 0 -> List.of();
      case 1 -> List.of(this);
      default -> List.of(this, withNumber(number + 7));
    };
  }

  @Override
  public int compareTo(Item other) {
    int byKey = key.compareTo(other.key);
    int byTime = byKey != 0 ? byKey : Long.compare(at, other.at);
    return byTime != 0 ? byTime : Long.compare(number, other.number);
  }
}
