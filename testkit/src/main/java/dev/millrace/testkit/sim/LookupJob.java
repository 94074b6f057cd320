package dev.millrace.testkit.sim;

import static dev.millrace.api.With.broadcast;

import dev.millrace.api.Broadcast;
import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Table;
import dev.millrace.api.Topology;
import dev.millrace.api.With;
import dev.millrace.api.Within;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.plan.Partitioner;
import dev.millrace.spi.Split;
import dev.millrace.testkit.KeyPool;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.ModelRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A job that joins what has other numbers of partitions, and looks things up in tables: all that
/// these ever get is there when it starts, so that each record has to find the last of it, whatever
/// is read first.
final class LookupJob implements DrawnJob {
  private static final int CUSTOMERS = 12;
  private static final int CURRENCIES = 4;
  private static final long NEAR_MILLIS = 2_000;

  private static final List<String> SOURCES =
      List.of("orders", "payments", "customers", "limits", "rates");
  private static final List<String> SINKS =
      List.of("priced", "guessed", "discounted", "paid", "known");

  /// @param value null for a deletion; of an order or payment its number, currency and time
  private record Sent(String key, @Nullable String value) {
    String part(int index) {
      return part(Objects.requireNonNull(value), index);
    }

    static String part(String value, int index) {
      return value.split(" ", -1)[index];
    }

    static Instant time(String value) {
      return Instant.ofEpochMilli(millis(value));
    }

    static long millis(String value) {
      return Long.parseLong(part(value, 2));
    }
  }

  private static String both(@Nullable String left, @Nullable String right) {
    return left + " and " + right;
  }

  private record Lookups(String prefix, OpenTransaction foreign)
      implements StreamApplication, Outside {
    @Override
    public void goOn() {
      foreign.goOn();
    }

    @Override
    public String name() {
      return prefix + "lookups";
    }

    private KafkaKeyedSource<String, String> source(String name) {
      return Kafka.source(prefix + name).key(Serdes.string()).value(Serdes.string());
    }

    private KafkaKeyedSink<String, String> sink(String name) {
      return Kafka.sink(prefix + name).key(Serdes.string()).value(Serdes.string());
    }

    private KeyedStream<String, String> stream(Topology topology, String name) {
      return topology.from(source(name).eventTime(Sent::time).asBounded());
    }

    @Override
    public void describe(Topology topology) {
      KeyedStream<String, String> orders = stream(topology, "orders");
      KeyedStream<String, String> payments = stream(topology, "payments");
      Table<String, String> customers =
          topology.table("customers", source("customers").asBounded());
      Table<String, String> limits = topology.table("limits", source("limits").asBounded());
      Broadcast<String, String> rates =
          topology.broadcastTable("rates", source("rates").asBounded());

      orders
          .join("pricing", broadcast(rates, order -> Sent.part(order, 1)), LookupJob::both)
          .to(sink("priced"));
      orders
          .map(order -> order)
          .leftJoin("guessing", broadcast(rates, order -> Sent.part(order, 1)), LookupJob::both)
          .groupBy("by-number", order -> Sent.part(order, 0))
          .reduce("guesses", (_, last) -> last)
          .toStream()
          .to(sink("guessed"));
      orders.leftJoin("discounting", With.table(customers), LookupJob::both).to(sink("discounted"));
      orders
          .join(
              "paying",
              With.stream(payments, Within.of(Duration.ofMillis(NEAR_MILLIS))),
              LookupJob::both)
          .to(sink("paid"));
      customers.outerJoin("knowing", limits, LookupJob::both).to(sink("known"));
    }
  }

  private final String prefix;
  private final SimulationSettings settings;
  private final Map<String, Integer> partitions = new TreeMap<>();
  private final Map<String, List<Sent>> sent = new TreeMap<>();
  private final List<InputRecord> input = new ArrayList<>();
  private final OpenTransaction foreign;
  private final KeyPool customers;
  private final KeyPool currencies;

  private LookupJob(long seed, String prefix) {
    this.prefix = prefix;
    settings =
        SimulationSettings.drawn(
            seed, SOURCES.stream().map(source -> prefix + source).toArray(String[]::new));
    Seed random = new Seed(seed).fork("lookups");
    customers = KeyPool.drawn(random.fork("customers"), CUSTOMERS);
    currencies = KeyPool.drawn(random.fork("currencies"), CURRENCIES);
    for (String topic : SOURCES) {
      partitions.put(topic, random.between(1, 3));
    }
    for (String topic : SINKS) {
      partitions.put(topic, random.between(1, 2));
    }
    for (String topic : List.of("orders", "payments")) {
      long at = 1_000_000;
      for (int i = random.between(10, 80); i > 0; i--) {
        at += random.below(700);
        String value = topic.charAt(0) + "" + i + " " + currencies.any(random) + " " + at;
        send(topic, customers.any(random), value);
      }
    }
    for (String topic : List.of("customers", "limits", "rates")) {
      KeyPool keys = topic.equals("rates") ? currencies : customers;
      for (int i = random.below(60); i > 0; i--) {
        send(topic, keys.any(random), random.chance(0.2) ? null : topic + i);
      }
    }
    foreign = foreign(new Seed(seed).fork("foreign"));
  }

  /// Changes of some tables that nobody has committed when the job starts. What is joined with them
  /// has to find them all the same, since tables are read to the ends that they had.
  private OpenTransaction foreign(Seed random) {
    List<InputRecord> open = new ArrayList<>();
    boolean commits = random.coin();
    for (String topic : random.chance(0.4) ? List.of("customers", "rates") : List.<String>of()) {
      for (int i = random.below(4); i > 0; i--) {
        String key = (topic.equals("rates") ? currencies : customers).any(random);
        Sent change = new Sent(key, topic + "-foreign-" + i);
        open.add(record(topic, change));
        if (commits) {
          sent.computeIfAbsent(topic, _ -> new ArrayList<>()).add(change);
        }
      }
    }
    return new OpenTransaction(prefix + "foreign", open, commits, random.between(1, 2_000));
  }

  @Override
  public OpenTransaction foreign() {
    return foreign;
  }

  static LookupJob drawn(long seed, String prefix) {
    return new LookupJob(seed, prefix);
  }

  private void send(String topic, String key, @Nullable String value) {
    Sent change = new Sent(key, value);
    sent.computeIfAbsent(topic, _ -> new ArrayList<>()).add(change);
    input.add(record(topic, change));
  }

  private InputRecord record(String topic, Sent change) {
    String key = change.key();
    String value = change.value();
    int count = Objects.requireNonNull(partitions.get(topic));
    // Every task reads all rates, so it does not matter who has given them their partitions.
    int partition =
        topic.equals("rates")
            ? Math.floorMod(key.hashCode(), count)
            : Partitioner.partition(Bytes.ofUtf8(key), count);
    return new InputRecord(
        new Split(prefix + topic, partition),
        0,
        Bytes.ofUtf8(key),
        value == null ? null : Bytes.ofUtf8(value));
  }

  @Override
  public StreamApplication application() {
    return new Lookups(prefix, foreign);
  }

  @Override
  public SimulationSettings settings() {
    return settings;
  }

  @Override
  public Map<String, Integer> topics() {
    Map<String, Integer> topics = new TreeMap<>();
    partitions.forEach((topic, count) -> topics.put(prefix + topic, count));
    return topics;
  }

  @Override
  public List<InputRecord> input() {
    return input;
  }

  @Override
  public void requireExact(Written written) {
    Map<String, String> rates = table("rates");
    Map<String, String> customers = table("customers");
    List<String> priced = new ArrayList<>();
    Map<String, String> guessed = new TreeMap<>();
    List<String> discounted = new ArrayList<>();
    List<String> paid = new ArrayList<>();
    for (Sent order : all("orders")) {
      String rate = rates.get(order.part(1));
      if (rate != null) {
        priced.add(order.key() + "=" + both(order.value(), rate));
      }
      guessed.put(order.part(0), both(order.value(), rate));
      discounted.add(order.key() + "=" + both(order.value(), customers.get(order.key())));
      for (Sent payment : all("payments")) {
        if (payment.key().equals(order.key())
            && Math.abs(millis(payment) - millis(order)) <= NEAR_MILLIS) {
          paid.add(order.key() + "=" + both(order.value(), payment.value()));
        }
      }
    }
    requireTopic("priced", priced, written);
    requireTopic(
        "guessed",
        guessed.entrySet().stream().map(each -> each.getKey() + "=" + each.getValue()).toList(),
        written);
    requireTopic("discounted", discounted, written);
    requireTopic("paid", paid, written);
    requireKnown(customers, table("limits"), written);
  }

  private static long millis(Sent sent) {
    return Sent.millis(Objects.requireNonNull(sent.value()));
  }

  private List<Sent> all(String topic) {
    return sent.getOrDefault(topic, List.of());
  }

  /// The last value of each key.
  private Map<String, String> table(String topic) {
    Map<String, String> table = new TreeMap<>();
    for (Sent each : all(topic)) {
      if (each.value() == null) {
        table.remove(each.key());
      } else {
        table.put(each.key(), each.value());
      }
    }
    return table;
  }

  private void requireTopic(String topic, List<String> expected, Written written) {
    List<String> found = new ArrayList<>();
    for (ModelRecord record : written.records(prefix + topic)) {
      found.add(text(record.key()) + "=" + text(record.value()));
    }
    Scenario.requireEqual(
        "topic '" + topic + "' with " + partitions,
        expected.stream().sorted().toList(),
        found.stream().sorted().toList());
  }

  /// Of a table that is written the last value of each key counts.
  private void requireKnown(
      Map<String, String> customers, Map<String, String> limits, Written written) {
    Map<String, String> expected = new TreeMap<>();
    customers.forEach((key, value) -> expected.put(key, both(value, limits.get(key))));
    limits.forEach((key, value) -> expected.putIfAbsent(key, both(null, value)));
    Map<String, String> found = new TreeMap<>();
    for (ModelRecord record : written.records(prefix + "known")) {
      if (record.value() == null) {
        found.remove(text(record.key()));
      } else {
        found.put(text(record.key()), text(record.value()));
      }
    }
    Scenario.requireEqual("topic 'known' with " + partitions, expected, found);
  }

  private static String text(@Nullable Bytes bytes) {
    return bytes == null
        ? "null"
        : new String(bytes.array(), bytes.offset(), bytes.length(), StandardCharsets.UTF_8);
  }
}
