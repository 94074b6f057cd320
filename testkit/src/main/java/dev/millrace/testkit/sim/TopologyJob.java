package dev.millrace.testkit.sim;

import dev.millrace.api.StreamApplication;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.plan.Partitioner;
import dev.millrace.spi.Split;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.ModelRecord;
import dev.millrace.testkit.sim.Sketch.Known;
import dev.millrace.testkit.sim.TopologyOracle.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// A topology drawn from the seed, with an input of several topics, whose items are out of order
/// within their limits.
final class TopologyJob implements DrawnJob {
  private final long seed;
  private final String prefix;
  private final Sketch sketch;
  private final List<Known> drawn;
  private final SimulationSettings settings;
  private final List<InputRecord> input = new ArrayList<>();
  private final TopologyOracle oracle;

  private TopologyJob(long seed, String prefix, boolean mayFail, List<Kind> besides) {
    this.seed = seed;
    this.prefix = prefix;
    sketch = TopologyDraw.draw(new Seed(seed).fork("topology"), mayFail, besides);
    drawn = sketch.operators();
    SimulationSettings shape =
        SimulationSettings.drawn(
            seed,
            drawn.stream()
                .filter(known -> known.op() instanceof Op.FromTopic)
                .map(known -> prefix + ((Op.FromTopic) known.op()).topic())
                .toArray(String[]::new));
    settings = FailingResults.policy(seed, prefix, sketch, shape);
    Map<String, List<Item>> items = new TreeMap<>();
    Seed random = new Seed(seed).fork("items");
    for (Known known : drawn) {
      if (known.op() instanceof Op.FromTopic source) {
        items.put(source.topic(), write(source, random.fork(source.topic())));
      }
    }
    oracle = new TopologyOracle(sketch, items);
  }

  static TopologyJob drawn(long seed, String prefix) {
    return new TopologyJob(seed, prefix, true, List.of());
  }

  /// The same but that nothing fails, as it must where exchanges go through memory.
  static TopologyJob withoutFailures(long seed, String prefix) {
    return new TopologyJob(seed, prefix, false, List.of());
  }

  /// The same, with joins that look up what a table had at a time.
  static TopologyJob asOf(long seed, String prefix) {
    return new TopologyJob(seed, prefix, false, List.of(Kind.JOIN_AS_OF));
  }

  /// The same, with topics that are also read as tables, tables that refer to themselves, and joins
  /// of what came through exchanges with what did not.
  static TopologyJob across(long seed, String prefix) {
    return new TopologyJob(seed, prefix, false, List.of(Kind.TOPIC_TABLE, Kind.ACROSS));
  }

  @Override
  public StreamApplication application() {
    return new DrawnTopology(prefix, sketch, new OtherSystem(new Seed(seed).fork("other system")));
  }

  @Override
  public SimulationSettings settings() {
    return settings;
  }

  @Override
  public Map<String, Integer> topics() {
    Map<String, Integer> topics = new TreeMap<>();
    for (Known known : drawn) {
      switch (known.op()) {
        case Op.FromTopic source -> topics.put(prefix + source.topic(), source.partitions());
        case Op.ToTopic sink -> topics.put(prefix + sink.topic(), sink.partitions());
        default -> {}
      }
    }
    return topics;
  }

  @Override
  public List<InputRecord> input() {
    return input;
  }

  private List<Item> write(Op.FromTopic source, Seed random) {
    int count = random.chance(0.1) ? 0 : random.between(20, 120);
    List<Item> items = new ArrayList<>();
    if (source.time() == Op.Time.MARKED) {
      writeMarked(source, count, random, items);
      return items;
    }
    long latest = 0;
    for (int i = 0; i < count; i++) {
      latest += random.below(800);
      long at = sketch.era().at(latest) - random.below(source.disorderMillis() + 1);
      write(source, anItem(at, random), random, items);
    }
    return items;
  }

  /// Stretch after stretch, each in no order and with a mark behind it in every partition.
  private void writeMarked(Op.FromTopic source, int count, Seed random, List<Item> items) {
    long from = 0;
    for (int left = count; left > 0; ) {
      int some = Math.min(left, random.between(0, 8));
      int length = random.between(1, source.disorderMillis()) + 300 * some;
      for (int i = 0; i < some; i++) {
        long at = sketch.era().at(from + random.below(length));
        write(source, anItem(at, random), random, items);
      }
      left -= Math.max(1, some);
      from += length;
      for (int i = 0; i < source.partitions(); i++) {
        mark(source, i, sketch.era().at(from), items);
      }
    }
  }

  /// Where the key says the partition, one that has no key needs no mark: nothing comes there.
  private void mark(Op.FromTopic source, int partition, long at, List<Item> items) {
    for (int key = 0; key < sketch.keys().size(); key++) {
      Item mark = new Item(sketch.keys().text(key), Item.MARK, at);
      if (!source.keyed() || partition(mark, source.partitions()) == partition) {
        write(source, partition, mark, items);
        return;
      }
    }
  }

  private Item anItem(long at, Seed random) {
    return new Item(sketch.keys().any(random), random.below(50), at);
  }

  private static int partition(Item item, int partitions) {
    return Partitioner.partition(Bytes.ofUtf8(item.key()), partitions);
  }

  private void write(Op.FromTopic source, Item item, Seed random, List<Item> items) {
    int partition =
        source.keyed() ? partition(item, source.partitions()) : random.below(source.partitions());
    write(source, partition, item, items);
  }

  private void write(Op.FromTopic source, int partition, Item item, List<Item> items) {
    items.add(item);
    BytesWriter out = new BytesWriter();
    Serdes.record(Item.class).write(item, out);
    input.add(
        new InputRecord(
            new Split(prefix + source.topic(), partition),
            0,
            source.keyed() ? Bytes.ofUtf8(item.key()) : null,
            Bytes.of(out.toByteArray())));
  }

  @Override
  public void requireExact(Written written) {
    FailingResults.requireLetters(settings.engine(), sketch, oracle, written);
    for (int i = 0; i < drawn.size(); i++) {
      Known known = drawn.get(i);
      switch (known.op()) {
        case Op.ToTopic sink -> requireTopic(i, sink, known.traits(), written);
        case Op.Sum sum -> {
          requireSums(i, known.traits(), written);
          requireEmpty(Op.name(i) + "-waiting", written);
        }
        case Op.Table _, Op.TopicTable _, Op.JoinTables _ ->
            requireEmpty(Op.name(i) + "-waiting", written);
        case Op.Deduplicate _ -> {
          requireEmpty(Op.name(i), written);
          requireEmpty(Op.name(i) + "-waiting", written);
          requireEmpty(Op.name(i) + "-times", written);
        }
        case Op.Ask _ -> requireNoneWaiting(Op.name(i) + "-waiting", written);
        case Op.Windowed _, Op.Together _ -> {
          requireEmpty(Op.name(i), written);
          requireEmpty(Op.name(i) + "-chunks", written);
        }
        case Op.JoinAsOf _ -> {
          requireEmpty(Op.name(i), written);
          requireEmpty(Op.name(i) + "-times", written);
          requireEmpty(Op.name(i) + "-versions-times", written);
          requireEmpty(Op.name(i) + "-sums", written);
        }
        case Op.Top _ -> {
          requireEmpty(Op.name(i), written);
          requireEmpty(Op.name(i) + "-top", written);
          requireEmpty(Op.name(i) + "-top-results", written);
        }
        case Op.Counted _ -> {
          requireEmpty(Op.name(i), written);
          requireEmpty(Op.name(i) + "-chunks", written);
          requireEmpty(Op.name(i) + "-open", written);
          requireEmpty(Op.name(i) + "-times", written);
        }
        case Op.Delayed _ -> {
          requireEmpty(Op.name(i) + "-slots", written);
          requireEmpty(Op.name(i) + "-timers", written);
        }
        case Op.Bucketed bucketed -> requireBuckets(i, bucketed, written);
        default -> {}
      }
    }
  }

  private void requireTopic(int op, Op.ToTopic sink, Traits traits, Written written) {
    List<Row> found = new ArrayList<>();
    for (int i = 0; i < sink.partitions(); i++) {
      for (ModelRecord record : written.records(new Split(prefix + sink.topic(), i))) {
        Row row = row(record, i, sink, traits);
        if (!isRetraction(record)) {
          found.add(row);
        } else if (!sink.retractions() || !found.remove(row)) {
          throw new AssertionError("Retracted in %s, but not there: %s".formatted(sink, row));
        }
      }
    }
    List<Row> expected = new ArrayList<>(oracle.rows(op));
    String where = "topic '" + sink.topic() + "' of " + drawn;
    if (!traits.determined()) {
      Scenario.requireEqual(where, steps(expected), steps(found));
    } else if (traits.ordered()) {
      expected.sort(Comparator.comparing(Row::keyText));
      found.sort(Comparator.comparing(Row::keyText));
      Scenario.requireEqual(where, expected, found);
    } else {
      expected.sort(null);
      found.sort(null);
      Scenario.requireEqual(where, expected, found);
    }
  }

  private static boolean isRetraction(ModelRecord record) {
    return record.headers().stream().anyMatch(TopologyJob::isRetraction);
  }

  private static boolean isRetraction(ModelRecord.Header header) {
    return header.name().equals("millrace.retraction");
  }

  private static Row row(ModelRecord record, int partition, Op.ToTopic sink, Traits traits) {
    Item item = Serdes.record(Item.class).read(Objects.requireNonNull(record.value()));
    Bytes key = record.key();
    Manner manner = sink.manner();
    boolean timed = !traits.table() || manner.timestamps();
    if (traits.keyed() != (key != null)
        || (timed && record.timestamp() != Math.max(0, manner.timestamp(item)))
        || (key != null && Partitioner.partition(key, sink.partitions()) != partition)) {
      throw new AssertionError(
          "A record in partition %d of %s has a wrong key, time or partition: %s, %s"
              .formatted(partition, sink, record, item));
    }
    requireHeader(record, sink, item, !traits.table());
    return new Row(key == null ? null : key.toUtf8(), item);
  }

  /// It has the header that its sink sets, whether it takes back another or not, and no other.
  private static void requireHeader(ModelRecord record, Op.ToTopic sink, Item item, boolean timed) {
    List<ModelRecord.Header> headers =
        record.headers().stream().filter(each -> !isRetraction(each)).toList();
    Bytes key = record.key();
    List<ModelRecord.Header> expected =
        !sink.manner().headers()
            ? List.of()
            : List.of(
                new ModelRecord.Header(
                    Manner.HEADER,
                    Bytes.ofUtf8(
                        Manner.header(key == null ? null : key.toUtf8(), item.at(), item, timed))));
    if (!headers.equals(expected)) {
      throw new AssertionError(
          "A record in %s has wrong headers: %s, not %s"
              .formatted(sink, record.headers(), expected));
    }
  }

  /// Of running sums whose order is not determined: what was added each time, by key.
  private static Map<String, List<Item>> steps(List<Row> sums) {
    Map<String, Long> last = new TreeMap<>();
    Map<String, List<Item>> steps = new TreeMap<>();
    for (Row row : sums) {
      Long before = last.put(row.keyText(), row.item().number());
      steps
          .computeIfAbsent(row.keyText(), _ -> new ArrayList<>())
          .add(row.item().withNumber(row.item().number() - (before == null ? 0 : before)));
    }
    steps.values().forEach(each -> each.sort(null));
    return steps;
  }

  private void requireSums(int op, Traits traits, Written written) {
    Map<String, Long> expected = new TreeMap<>();
    Map<String, Long> found = new TreeMap<>();
    Map<String, Item> last = new TreeMap<>();
    Map<String, Item> kept = written.store(Op.name(op), Serdes.string(), Serdes.record(Item.class));
    kept.forEach((key, item) -> found.put(key, item.number()));
    for (Row row : oracle.rows(op)) {
      // The last one counts.
      expected.put(row.keyText(), row.item().number());
      if (traits.ordered()) {
        last.put(row.keyText(), row.item());
      }
    }
    if (traits.ordered()) {
      Scenario.requireEqual("store '" + Op.name(op) + "' of " + drawn, last, kept);
    }
    Scenario.requireEqual("store '" + Op.name(op) + "' of " + drawn, expected, found);
  }

  private void requireBuckets(int op, Op.Bucketed bucketed, Written written) {
    Map<String, Long> expected = new TreeMap<>();
    oracle
        .groups(bucketed.from(), bucketed.by())
        .forEach((key, items) -> expected.put(key, (long) items.size()));
    String name = Op.name(op);
    Scenario.requireEqual(
        "store '" + name + "-counts' of " + drawn,
        expected,
        written.store(name + "-counts", Serdes.string(), Serdes.longs()));
    requireEmpty(name + "-slots", written);
    requireEmpty(name + "-timers", written);
  }

  /// Of calls each task keeps up to when all have come that is behind them, and nothing else.
  private void requireNoneWaiting(String store, Written written) {
    for (Map<Bytes, Bytes> ofTask : written.tasks(store)) {
      if (ofTask.size() > 1) {
        throw new AssertionError(
            "store '%s' of %s has %s".formatted(store, drawn, ofTask.keySet()));
      }
    }
  }

  private void requireEmpty(String store, Written written) {
    Scenario.requireEqual(
        "store '" + store + "' of " + drawn,
        Map.of(),
        written.store(store, Serdes.view(), Serdes.view()));
  }
}
