package dev.millrace.testkit.sim;

import dev.millrace.testkit.KeyPool;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
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
  private final List<List<Row>> allFailed = new ArrayList<>();

  /// What cannot be told of the operator that is computed just now.
  private List<Row> failed = new ArrayList<>();

  private final long tickMillis;
  private final WindowOracle windows;
  private final KeyPool keys;

  /// @param input the items of each topic, those of a partition in order
  TopologyOracle(Sketch sketch, Map<String, List<Item>> input) {
    tickMillis = sketch.tickMillis();
    windows = new WindowOracle(sketch.era());
    keys = sketch.keys();
    for (Sketch.Known known : sketch.operators()) {
      failed = new ArrayList<>();
      allFailed.add(failed);
      rows.add(compute(known.op(), known.traits(), input));
    }
  }

  /// The records of an operator: those of a key in order, if that is determined.
  List<Row> rows(int op) {
    return rows.get(op);
  }

  /// The results of an operator that cannot be told.
  List<Row> failed(int op) {
    return allFailed.get(op);
  }

  private List<Row> compute(Op op, Traits traits, Map<String, List<Item>> input) {
    List<Row> out = new ArrayList<>();
    switch (op) {
      case Op.FromTopic source ->
          input
              .getOrDefault(source.topic(), List.of())
              .forEach(item -> out.add(new Row(source.keyed() ? item.key() : null, item)));
      case Op.Filter _,
          Op.MapValues _,
          Op.Map _,
          Op.FlatMap _,
          Op.Merge _,
          Op.Branch _,
          Op.Rest _,
          Op.Sample _ ->
          stateless(op, out);
      case Op.Deduplicate deduplicate ->
          groups(deduplicate.from(), deduplicate.by())
              .forEach((key, items) ->
                  passed(items, deduplicate).forEach(item -> out.add(new Row(key, item))));
      case Op.Group(int from, Op.By by) ->
          groups(from, by)
              .forEach((key, items) -> items.forEach(item -> out.add(new Row(key, item))));
      case Op.Ask ask -> out.addAll(answers(ask));
      case Op.Sum(int from, Op.By by) when tickMillis > 0 ->
          groups(from, by).forEach((key, items) -> sumsAtTicks(key, items, out));
      case Op.Sum(int from, Op.By by) -> sums(groups(from, by), out);
      case Op.Table(int from, Op.By by) ->
          groups(from, by).forEach((key, items) -> out.add(total(key, items)));
      case Op.TopicTable(int from) -> last(rows.get(from), out);
      case Op.Join join -> out.addAll(pairs(join));
      case Op.JoinAsOf join -> asOf(join, out);
      case Op.JoinTables(int from, int other, Op.Kept kept) ->
          out.addAll(entries(from, other, kept));
      case Op.JoinForeign join -> out.addAll(foreign(join));
      case Op.Windowed windowed -> windowed(windowed, out);
      case Op.Together together -> out.addAll(together(together));
      case Op.Top top ->
          windows
              .all(groups(top.from(), top.by()), top.shape(), false)
              .forEach((window, keys) -> top(window.end(), keys, top, out));
      case Op.Bucketed(int from, Op.By by) ->
          windows
              .all(groups(from, by), new Op.Shape(Buckets.MILLIS, Buckets.MILLIS), true)
              .forEach((window, keys) ->
                  keys.forEach((key, value) -> {
                    out.add(new Row(key, new Item(key, value, window.end())));
                    out.add(new Row(key, new Item(key, Buckets.ECHO, window.end() + 1)));
                  }));
      case Op.Counted counted -> counted(counted, out);
      case Op.Delayed(int from, Op.By by, _) ->
          groups(from, by)
              .forEach((key, items) -> items.forEach(item -> out.add(new Row(key, item))));
      case Op.ToTopic sink -> written(sink, traits, out);
    }
    return out;
  }

  private void written(Op.ToTopic sink, Traits traits, List<Row> out) {
    for (Row row : rows.get(sink.from())) {
      Item item =
          sink.manner().weighed()
              ? Manner.weighed(row.key(), row.item().at(), row.item(), !traits.table())
              : row.item();
      out.add(new Row(sink.manner().ownKeys() ? item.key() : row.key(), item));
    }
  }

  private static Row total(String key, List<Item> items) {
    return new Row(key, new Item("", items.stream().mapToLong(Item::number).sum(), 0));
  }

  private void windowed(Op.Windowed op, List<Row> out) {
    windows
        .all(groups(op.from(), op.by()), op.shape(), op.sums())
        .forEach((window, keys) ->
            keys.forEach((key, value) -> {
              Row row = new Row(key, new Item(key, value, window.end() - 1));
              (op.fails(value) ? failed : out).add(row);
            }));
  }

  private void counted(Op.Counted op, List<Row> out) {
    groups(op.from(), op.by())
        .forEach((key, items) ->
            WindowOracle.counted(items, op)
                .forEach(item -> out.add(new Row(key, new Item(key, item.number(), item.at())))));
  }

  private void stateless(Op op, List<Row> out) {
    switch (op) {
      case Op.Filter(int from, int modulo) ->
          rows.get(from).stream()
              .filter(row -> row.item().number() % modulo != 0)
              .forEach(out::add);
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
      case Op.FlatMap(int from) ->
          rows.get(from)
              .forEach(row -> row.item().several().forEach(item -> out.add(new Row(null, item))));
      case Op.Merge(int from, int other) -> {
        out.addAll(rows.get(from));
        out.addAll(rows.get(other));
      }
      case Op.Branch(int from, int modulo) ->
          rows.get(from).stream()
              .filter(row -> row.item().number() % modulo != 0)
              .forEach(out::add);
      case Op.Rest(int from, int modulo) ->
          rows.get(from).stream()
              .filter(row -> row.item().number() % modulo == 0)
              .forEach(out::add);
      case Op.Sample(int from, int percent, boolean byItem) ->
          rows.get(from).stream()
              .filter(row -> place(byItem ? row.item().key() : row.keyText()) < percent / 100.0)
              .forEach(out::add);
      default -> throw new AssertionError(op);
    }
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

  /// The last item of each key, at ticks in order of time.
  private void last(List<Row> items, List<Row> out) {
    Map<String, Row> last = new TreeMap<>();
    items.stream()
        .sorted(Comparator.comparingLong(row -> tickMillis == 0 ? 0 : row.item().at()))
        .forEach(row -> last.put(row.keyText(), row));
    out.addAll(last.values());
  }

  /// At each tick that has items, the sum of all before it.
  private void sumsAtTicks(String key, List<Item> items, List<Row> out) {
    TreeMap<Long, Long> ticks = new TreeMap<>();
    for (Item item : items) {
      ticks.merge(
          Math.floorDiv(item.at(), tickMillis) * tickMillis + tickMillis, item.number(), Long::sum);
    }
    long sum = 0;
    for (Map.Entry<Long, Long> tick : ticks.entrySet()) {
      sum += tick.getValue();
      out.add(new Row(key, new Item("", sum, tick.getKey() - 1)));
    }
  }

  /// Where a text lies between 0 and 1: FNV-1a with 64 bits, mixed as at the end of Murmur3.
  private static double place(String text) {
    long hash = 0xcbf29ce484222325L;
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (each & 0xFF)) * 0x100000001b3L;
    }
    hash = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
    hash = (hash ^ (hash >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return ((hash ^ (hash >>> 33)) >>> 11) * 0x1p-53;
  }

  /// In order of time, and of those at one time as they came.
  private static List<Item> passed(List<Item> items, Op.Deduplicate op) {
    List<Item> passed = new ArrayList<>();
    Map<String, Long> last = new TreeMap<>();
    for (Item item : items.stream().sorted(Comparator.comparingLong(Item::at)).toList()) {
      Long before = last.get(op.alike().of(item));
      if (before == null || item.at() - before >= op.withinMillis()) {
        passed.add(item);
        last.put(op.alike().of(item), item.at());
      }
    }
    return passed;
  }

  private List<Row> answers(Op.Ask ask) {
    List<Row> answers = new ArrayList<>();
    for (Row row : rows.get(ask.from())) {
      Item item = row.item();
      Item answer =
          OtherSystem.isRefused(item, ask.trouble())
              ? OtherSystem.instead(item)
              : OtherSystem.answer(item);
      if (answer != null) {
        answers.add(new Row(row.key(), answer));
      }
    }
    return answers;
  }

  /// Of each key and window how many items each of two streams has.
  private List<Row> together(Op.Together op) {
    Op.By by = new Op.By(false, 0);
    Map<String, List<Item>> left = groups(op.from(), by);
    Map<String, List<Item>> right = groups(op.other(), by);
    TreeSet<String> keys = new TreeSet<>(left.keySet());
    keys.addAll(right.keySet());
    List<Row> out = new ArrayList<>();
    for (String key : keys) {
      List<Item> all = new ArrayList<>(left.getOrDefault(key, List.of()));
      all.addAll(right.getOrDefault(key, List.of()));
      Map<WindowOracle.Window, Long> numbers = new TreeMap<>();
      left.getOrDefault(key, List.of())
          .forEach(item ->
              windows
                  .holding(item, all, op.shape())
                  .forEach(window -> numbers.merge(window, 1_000L, Long::sum)));
      right
          .getOrDefault(key, List.of())
          .forEach(item ->
              windows
                  .holding(item, all, op.shape())
                  .forEach(window -> numbers.merge(window, 1L, Long::sum)));
      numbers.forEach(
          (window, number) -> out.add(new Row(key, new Item(key, number, window.end() - 1))));
    }
    return out;
  }

  private List<Row> pairs(Op.Join join) {
    List<Row> pairs = new ArrayList<>();
    List<Row> left = rows.get(join.from());
    List<Row> right = rows.get(join.other());
    for (Row l : left) {
      boolean any = false;
      for (Row r : right) {
        if (partners(l, r, join)) {
          any = true;
          pairs.add(new Row(l.key(), Item.pair(l.item(), r.item(), join.before(), join.after())));
        }
      }
      if (!any && join.kept() != Op.Kept.NONE) {
        pairs.add(new Row(l.key(), Item.pair(l.item(), null, join.before(), join.after())));
      }
    }
    for (Row r : right) {
      if (join.kept() == Op.Kept.BOTH && left.stream().noneMatch(l -> partners(l, r, join))) {
        pairs.add(new Row(r.key(), Item.pair(null, r.item(), join.before(), join.after())));
      }
    }
    return pairs;
  }

  private void asOf(Op.JoinAsOf join, List<Row> out) {
    Map<String, TreeMap<Long, Item>> sums = new TreeMap<>();
    windows
        .all(
            groups(join.other(), new Op.By(false, 0)),
            new Op.Shape(join.millis(), join.millis()),
            true)
        .forEach((window, keys) ->
            keys.forEach((key, sum) ->
                sums.computeIfAbsent(key, _ -> new TreeMap<>())
                    .put(window.end() - 1, new Item(key, sum, window.end() - 1))));
    for (Row row : rows.get(join.from())) {
      Map.Entry<Long, Item> last =
          sums.getOrDefault(row.keyText(), new TreeMap<>()).floorEntry(row.item().at());
      Item found = last == null || !join.passes(last.getValue().number()) ? null : last.getValue();
      if (found != null || join.kept() != Op.Kept.NONE) {
        out.add(new Row(row.key(), Item.lookup(row.item(), found)));
      }
    }
  }

  private static boolean partners(Row left, Row right, Op.Join join) {
    return left.keyText().equals(right.keyText())
        && right.item().at() >= left.item().at() - join.before()
        && right.item().at() <= left.item().at() + join.after();
  }

  private List<Row> entries(int from, int other, Op.Kept kept) {
    Map<String, Item> left = table(from);
    Map<String, Item> right = table(other);
    TreeSet<String> keys = new TreeSet<>(left.keySet());
    keys.addAll(right.keySet());
    List<Row> entries = new ArrayList<>();
    for (String key : keys) {
      Item l = left.get(key);
      Item r = right.get(key);
      boolean none = (l == null && kept != Op.Kept.BOTH) || (r == null && kept == Op.Kept.NONE);
      if (!none) {
        entries.add(new Row(key, Item.entry(l, r)));
      }
    }
    return entries;
  }

  private List<Row> foreign(Op.JoinForeign join) {
    Map<String, Item> right = table(join.other());
    List<Row> entries = new ArrayList<>();
    table(join.from())
        .forEach((key, l) -> {
          String to = l.refersTo(join.modulo(), keys);
          Item r = to == null ? null : right.get(to);
          if (r != null || join.kept() != Op.Kept.NONE) {
            entries.add(new Row(key, Item.entry(l, r)));
          }
        });
    return entries;
  }

  private Map<String, Item> table(int op) {
    Map<String, Item> table = new TreeMap<>();
    for (Row row : rows.get(op)) {
      if (table.put(row.keyText(), row.item()) != null) {
        throw new AssertionError("A table has two values for " + row.key());
      }
    }
    return table;
  }

  private static void top(long end, Map<String, Long> keys, Op.Top op, List<Row> out) {
    if (op.groups() == 0) {
      top(end, keys, op.most(), null, out);
      return;
    }
    Map<String, Map<String, Long>> groups = new TreeMap<>();
    keys.forEach((key, count) ->
        groups
            .computeIfAbsent(Op.Top.group(count, op.groups()), _ -> new TreeMap<>())
            .put(key, count));
    groups.forEach((group, counts) -> top(end, counts, op.most(), group, out));
  }

  private static void top(
      long end, Map<String, Long> keys, int most, @Nullable String group, List<Row> out) {
    List<Map.Entry<String, Long>> ranked = new ArrayList<>(keys.entrySet());
    ranked.sort(
        Comparator.comparingLong((Map.Entry<String, Long> entry) -> -entry.getValue())
            .thenComparing(Map.Entry::getKey));
    for (int rank = 1; rank <= Math.min(most, ranked.size()); rank++) {
      Map.Entry<String, Long> entry = ranked.get(rank - 1);
      out.add(new Row(group, new Item(rank + " " + entry.getKey(), entry.getValue(), end - 1)));
    }
  }
}
