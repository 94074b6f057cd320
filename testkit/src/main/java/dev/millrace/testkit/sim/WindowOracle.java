package dev.millrace.testkit.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Says which windows items are in, item by item.
final class WindowOracle {
  private final LocalDates dates;

  WindowOracle(Era era) {
    dates = new LocalDates(era.zone(), era.at(0));
  }

  /// A window; what tells several with one end apart is in the order of their sizes.
  record Window(long end, long size) implements Comparable<Window> {
    @Override
    public int compareTo(Window other) {
      int byEnd = Long.compare(end, other.end);
      return byEnd != 0 ? byEnd : Long.compare(size, other.size);
    }
  }

  /// Of each window and key how many items, or the sum of their numbers.
  Map<Window, Map<String, Long>> all(Map<String, List<Item>> groups, Op.Shape shape, boolean sums) {
    Map<Window, Map<String, Long>> windows = new TreeMap<>();
    groups.forEach((key, items) -> {
      for (Item item : items) {
        for (Window window : holding(item, items, shape)) {
          windows
              .computeIfAbsent(window, _ -> new TreeMap<>())
              .merge(key, sums ? item.number() : 1, Long::sum);
        }
      }
    });
    return windows;
  }

  /// Of each window of so many items its count or sum, at the latest time of its items if that is
  /// determined.
  static List<Item> counted(List<Item> items, Op.Counted op) {
    int most = op.items() == 0 ? items.size() : op.items();
    List<Item> windows = new ArrayList<>();
    for (int i = 0; i < items.size(); i += most) {
      long value = 0;
      long latest = Long.MIN_VALUE;
      for (Item item : items.subList(i, Math.min(i + most, items.size()))) {
        value += op.sums() ? item.number() : 1;
        latest = Math.max(latest, item.at());
      }
      windows.add(new Item("", value, op.timed() ? latest : 0));
    }
    return windows;
  }

  /// The windows that hold an item.
  List<Window> holding(Item item, List<Item> items, Op.Shape shape) {
    List<Window> windows = new ArrayList<>();
    switch (shape.cut()) {
      case SESSIONS -> windows.add(new Window(sessionEnd(item.at(), items, shape), 0));
      case SLIDING ->
          items.stream()
              .mapToLong(Item::at)
              .filter(last -> last >= item.at() && last < item.at() + shape.millis())
              .distinct()
              .forEach(last -> windows.add(new Window(last + 1, shape.millis())));
      case DAYS, WEEKS, MONTHS, YEARS ->
          windows.add(new Window(dates.end(item.at(), shape.cut()), 0));
      case TOLD -> {
        long size = shape.told(item);
        windows.add(new Window(Math.floorDiv(item.at(), size) * size + size, size));
      }
      case REGULAR -> {
        for (long start = Math.floorDiv(item.at(), shape.every()) * shape.every();
            start + shape.millis() > item.at();
            start -= shape.every()) {
          windows.add(new Window(start + shape.millis(), shape.millis()));
        }
      }
    }
    return windows;
  }

  private static long sessionEnd(long at, List<Item> items, Op.Shape shape) {
    long last = at;
    while (true) {
      long from = last;
      long next =
          items.stream()
              .mapToLong(Item::at)
              .filter(other -> other > from && other - from < shape.millis())
              .max()
              .orElse(from);
      if (next == last) {
        return last + shape.millis();
      }
      last = next;
    }
  }
}
