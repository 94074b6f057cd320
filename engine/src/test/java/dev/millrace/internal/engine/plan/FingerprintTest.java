package dev.millrace.internal.engine.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.Output;
import dev.millrace.api.Processor;
import dev.millrace.api.Records;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.topology.Fingerprint;
import dev.millrace.internal.engine.topology.TextSerde;
import dev.millrace.internal.engine.topology.TopologyGraph;
import dev.millrace.internal.engine.topology.TrendingTags;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FingerprintTest {

  static final class Nothing implements Processor<String, String, String> {
    @Override
    public void process(Records<String, String> records, Output<String> out) {
      while (records.next()) {}
    }
  }

  /// The same format under another schema.
  record Reshaped(Serde<String> serde, String schema) implements Serde<String> {
    @Override
    public String id() {
      return serde.id();
    }

    @Override
    public void write(String value, BytesWriter out) {
      serde.write(value, out);
    }

    @Override
    public String read(Bytes in) {
      return serde.read(in);
    }

    @Override
    public boolean canonical() {
      return true;
    }

    @Override
    public boolean ordered() {
      return true;
    }
  }

  /// Everything a fingerprint may depend on, changed one at a time.
  private record Shape(
      String input,
      String exchange,
      Serde<String> keys,
      Serde<String> values,
      StoreSpec<?, ?> store,
      int extra) {
    private Shape() {
      this(
          "in",
          "g",
          Serdes.string(),
          Serdes.string(),
          spec("s", Serdes.string(), Serdes.string()),
          0);
    }

    Shape input(String other) {
      return new Shape(other, exchange, keys, values, store, extra);
    }

    Shape exchange(String other) {
      return new Shape(input, other, keys, values, store, extra);
    }

    Shape keys(Serde<String> other) {
      return new Shape(input, exchange, other, values, store, extra);
    }

    Shape values(Serde<String> other) {
      return new Shape(input, exchange, keys, other, store, extra);
    }

    Shape store(StoreSpec<?, ?> other) {
      return new Shape(input, exchange, keys, values, other, extra);
    }

    Shape extra(int count) {
      return new Shape(input, exchange, keys, values, store, count);
    }

    void describe(Topology topology) {
      KeyedStream<String, String> processed =
          topology
              .from(Kafka.source(input).value(values))
              .groupBy(exchange, v -> v)
              .keyAs(keys)
              .stream()
              .process("p", Nothing::new, store);
      for (int i = 0; i < extra; i++) {
        processed = processed.process("q" + i, Nothing::new);
      }
      processed.to(Kafka.sink("out").value(Serdes.string()));
    }

    Plan plan(String application, int partitions) {
      return plan(application, partitions, new LinkedHashMap<>());
    }

    Plan plan(String application, int partitions, Map<String, Integer> exchanges) {
      StreamApplication described = this::describe;
      return Planner.plan(
          application, TopologyGraph.of(described), Map.of(input, partitions), exchanges);
    }
  }

  private static StoreSpec<?, ?> spec(String name, Serde<String> keys, Serde<?> values) {
    return StoreSpec.keyValue(name, keys, values);
  }

  @Test
  void plansHaveTheVersionsTheyAlwaysHad() {
    assertEquals("78625b2e04051511", hex(new Shape().plan("app", 4)));
    assertEquals(
        "13d92639521b36b3",
        hex(
            Planner.plan(
                "trending-tags",
                TopologyGraph.of(new TrendingTags()),
                Map.of("profile-updates", 4))));
  }

  @Test
  void theHashIsTheOnePublished() {
    // Known answers of FNV-1a with 64 bits; a part's length goes before it.
    assertEquals(0xcbf29ce484222325L, new Fingerprint().value());
    assertEquals(fnv(new byte[] {0, 0, 0, 1, 'a'}), new Fingerprint().add("a").value());
    assertEquals(0xaf63dc4c8601ec8cL, fnv(new byte[] {'a'}));
    assertNotEquals(
        new Fingerprint().add("ab").add("c").value(), new Fingerprint().add("a").add("bc").value());
  }

  private static long fnv(byte[] bytes) {
    BigInteger hash = new BigInteger("14695981039346656037");
    BigInteger mask = BigInteger.TWO.pow(64).subtract(BigInteger.ONE);
    for (byte b : bytes) {
      hash =
          hash.xor(BigInteger.valueOf(b & 0xFF))
              .multiply(new BigInteger("1099511628211"))
              .and(mask);
    }
    return hash.longValue();
  }

  @Test
  void everythingThatIsKeptOrSentCounts() {
    Shape shape = new Shape();
    Serde<String> string = Serdes.string();
    Serde<String> reshaped = new Reshaped(string, "another schema");
    Map<String, Plan> plans = new LinkedHashMap<>();
    plans.put("as it is", shape.plan("app", 4));
    plans.put("application", shape.plan("other", 4));
    plans.put("partitions", shape.plan("app", 5));
    plans.put("partitions of the exchange", shape.plan("app", 4, Map.of("g", 5)));
    plans.put("exchange", shape.exchange("h").plan("app", 4));
    plans.put("schema of keys", shape.keys(reshaped).plan("app", 4));
    plans.put("serde of values", shape.values(TextSerde.named("text")).plan("app", 4));
    plans.put("schema of values", shape.values(reshaped).plan("app", 4));
    plans.put("store", shape.store(spec("s2", string, string)).plan("app", 4));
    plans.put("ranges", shape.store(spec("s", string, string).withRanges()).plan("app", 4));
    plans.put("serde of a store", shape.store(spec("s", string, Serdes.longs())).plan("app", 4));
    plans.put("schema of a store", shape.store(spec("s", reshaped, string)).plan("app", 4));
    plans.put("one more store", shape.extra(1).plan("app", 4));
    List<String> versions = new ArrayList<>();
    plans.forEach((what, plan) -> {
      assertTrue(!versions.contains(hex(plan)), what + " makes no difference");
      versions.add(hex(plan));
    });
  }

  /// There may be more of them, with the same state; that another one is read is seen when the
  /// descriptions are compared.
  @Test
  void whatIsReadDoesNotCount() {
    Plan one = new Shape().plan("app", 4);
    Plan other = new Shape().input("in2").plan("app", 4);
    assertEquals(hex(one), hex(other));
    assertFalse(PlanDiff.between(one.description(), other.description()).isGrowth());
  }

  @Test
  void whatIsNeitherKeptNorSentDoesNotCount() {
    StreamApplication one =
        t ->
            t.from(Kafka.source("in").value(Serdes.string()))
                .groupBy("g", v -> v)
                .count("c")
                .toStream()
                .to(Kafka.sink("out").value(Serdes.longs()));
    StreamApplication other =
        t ->
            t.from(Kafka.source("in").value(Serdes.string()).asBounded())
                .filter(v -> true)
                .peek(v -> {})
                .groupBy("g", v -> v)
                .count("c")
                .toStream()
                .filter(v -> v > 1)
                .to(Kafka.sink("elsewhere").value(Serdes.longs()));
    assertEquals(version(one), version(other));
  }

  private static long version(StreamApplication application) {
    return Planner.plan("app", TopologyGraph.of(application), Map.of("in", 1)).version();
  }

  private static String hex(Plan plan) {
    return "%016x".formatted(plan.version());
  }
}
