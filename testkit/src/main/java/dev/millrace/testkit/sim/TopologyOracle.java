package dev.millrace.testkit.sim;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Computes what [Op]s say, all at once and without the engine.
final class TopologyOracle {

  /// A record.
  ///
  /// @param key null if it has none
  record Row(@Nullable String key, Item item) implements Comparable<Row> {
    String keyText() {
      return key == null ? "" : key;
    }

    @Override
    public int compareTo(Row other) {
      int byKey = keyText().compareTo(other.keyText());
      return byKey != 0 ? byKey : item.compareTo(other.item);
    }
  }

  private final List<List<Row>> rows = new ArrayList<>();

  /// @param input the items of each topic, those of a partition in order
  TopologyOracle(List<Op> ops, Map<String, List<Item>> input) {
    for (Op op : ops) {
      rows.add(compute(op, input));
    }
  }

  /// The records of an operator: those of a key in order, if that is determined.
  List<Row> rows(int op) {
    return rows.get(op);
  }

  private List<Row> compute(Op op, Map<String, List<Item>> input) {
    List<Row> out = new ArrayList<>();
    switch (op) {
      case Op.FromTopic source ->
          input
              .getOrDefault(source.topic(), List.of())
              .forEach(item -> out.add(new Row(source.keyed() ? item.key() : null, item)));
      case Op.Filter(int from, int modulo) -> {
        for (Row row : rows.get(from)) {
          if (row.item().number() % modulo != 0) {
            out.add(row);
          }
        }
      }
      case Op.MapValues(int from, int added) -> {
        for (Row row : rows.get(from)) {
          out.add(new Row(row.key(), row.item().withNumber(row.item().number() + added)));
        }
      }
      case Op.Map(int from) -> {
        for (Row row : rows.get(from)) {
          Item item = row.item();
          out.add(new Row(null, new Item(item.key() + "+", item.number(), item.at())));
        }
      }
      case Op.FlatMap(int from) -> {
        for (Row row : rows.get(from)) {
          row.item().several().forEach(item -> out.add(new Row(null, item)));
        }
      }
      case Op.Merge(int from, int other) -> {
        out.addAll(rows.get(from));
        out.addAll(rows.get(other));
      }
      case Op.Sum(int from, Op.By by) -> sums(groups(from, by), out);
      case Op.Windowed(int from, Op.By by, int millis, boolean sums) ->
          windows(groups(from, by), millis, sums)
              .forEach((end, keys) ->
                  keys.forEach(
                      (key, value) -> out.add(new Row(key, new Item(key, value, end - 1)))));
      case Op.Top(int from, Op.By by, int millis, int most) ->
          windows(groups(from, by), millis, false)
              .forEach((end, keys) -> top(end, keys, most, out));
      case Op.Bucketed(int from, Op.By by) ->
          windows(groups(from, by), Buckets.MILLIS, true)
              .forEach((end, keys) ->
                  keys.forEach((key, value) -> {
                    out.add(new Row(key, new Item(key, value, end)));
                    out.add(new Row(key, new Item(key, Buckets.ECHO, end + 1)));
                  }));
      case Op.ToTopic(int from, _, _) -> out.addAll(rows.get(from));
    }
    return out;
  }

  /// The items by key, as the operator sees them.
  Map<String, List<Item>> groups(int from, Op.By by) {
    Map<String, List<Item>> groups = new TreeMap<>();
    for (Row row : rows.get(from)) {
      String key = by.exchange() ? Op.By.key(row.item(), by.modulo()) : row.keyText();
      groups.computeIfAbsent(key, _ -> new ArrayList<>()).add(row.item());
    }
    return groups;
  }

  private static void sums(Map<String, List<Item>> groups, List<Row> out) {
    groups.forEach((key, items) -> {
      long sum = 0;
      for (Item item : items) {
        sum += item.number();
        out.add(new Row(key, item.withNumber(sum)));
      }
    });
  }

  /// Of each window's end and key how many items, or the sum of their numbers.
  private static Map<Long, Map<String, Long>> windows(
      Map<String, List<Item>> groups, long millis, boolean sums) {
    Map<Long, Map<String, Long>> windows = new TreeMap<>();
    groups.forEach((key, items) -> {
      for (Item item : items) {
        long end = item.at() / millis * millis + millis;
        windows
            .computeIfAbsent(end, _ -> new TreeMap<>())
            .merge(key, sums ? item.number() : 1, Long::sum);
      }
    });
    return windows;
  }

  private static void top(long end, Map<String, Long> keys, int most, List<Row> out) {
    List<Map.Entry<String, Long>> ranked = new ArrayList<>(keys.entrySet());
    ranked.sort(
        Comparator.comparingLong((Map.Entry<String, Long> entry) -> -entry.getValue())
            .thenComparing(Map.Entry::getKey));
    for (int rank = 1; rank <= Math.min(most, ranked.size()); rank++) {
      Map.Entry<String, Long> entry = ranked.get(rank - 1);
      out.add(new Row(null, new Item(rank + " " + entry.getKey(), entry.getValue(), end - 1)));
    }
  }
}
