package dev.millrace.internal.cluster.place;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/// A set of bundles, by their numbers.
///
/// @param ranges in the order of their numbers, with gaps between them
public record Bundles(List<Range> ranges) {
  /// The number of the bundle that has all tasks of an application; it is none of a task.
  public static final int WHOLE = 1_000_000_000;

  /// Consecutive numbers.
  ///
  /// @param from the first one
  /// @param to behind the last one
  public record Range(int from, int to) {}

  public Bundles {
    ranges = List.copyOf(ranges);
  }

  /// Returns the set of some numbers.
  public static Bundles of(Collection<Integer> numbers) {
    List<Range> ranges = new ArrayList<>();
    for (int number : new TreeSet<>(numbers)) {
      if (!ranges.isEmpty() && ranges.getLast().to() == number) {
        ranges.set(ranges.size() - 1, new Range(ranges.getLast().from(), number + 1));
      } else {
        ranges.add(new Range(number, number + 1));
      }
    }
    return new Bundles(ranges);
  }

  /// Returns whether a number is in the set.
  public boolean contains(int number) {
    for (Range range : ranges) {
      if (number < range.to()) {
        return number >= range.from();
      }
    }
    return false;
  }

  /// Returns the set with one more number.
  public Bundles with(int number) {
    SortedSet<Integer> all = new TreeSet<>();
    addTo(all);
    all.add(number);
    return of(all);
  }

  /// Adds all numbers to a set.
  public void addTo(SortedSet<Integer> numbers) {
    for (Range range : ranges) {
      for (int number = range.from(); number < range.to(); number++) {
        numbers.add(number);
      }
    }
  }
}
