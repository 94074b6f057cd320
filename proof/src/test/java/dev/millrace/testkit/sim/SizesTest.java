package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.KeyValueStore;
import dev.millrace.api.Output;
import dev.millrace.api.Processor;
import dev.millrace.api.ProcessorContext;
import dev.millrace.api.Records;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.commit.Failure;
import dev.millrace.internal.engine.settings.Placement.Groups;
import dev.millrace.spi.Log;
import dev.millrace.spi.Split;
import dev.millrace.spi.settings.OnError;
import dev.millrace.spi.settings.SizeLimits;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.disk.Hosts;
import dev.millrace.testkit.log.ModelRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Values of all sizes about the limits of an exchange, a store and the topic of a sink: what is
/// too large for one of them is passed over as a whole, and everything else arrives and is kept,
/// whatever crashes in between.
class SizesTest {
  private static final int SEEDS = 60;
  private static final int KEYS = 4;
  private static final int MB = 1 << 20;
  private static final int FRAME_BYTES = 140;

  /// Keeps the last value of each key, behind an exchange, and sends each one on.
  private record Keeping(int partitions) implements StreamApplication {
    private static final StoreSpec<String, String> LAST =
        StoreSpec.keyValue("last", Serdes.string(), Serdes.string());

    @Override
    public String name() {
      return "keeping";
    }

    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source("in").value(Serdes.string()).asBounded())
          .groupBy("by-key", value -> value.substring(0, 1))
          .keyAs(Serdes.string())
          .stream()
          .process("keeper", Keeper::new, LAST)
          .to(Kafka.sink("out").key(Serdes.string()).value(Serdes.string()));
    }

    private static final class Keeper implements Processor<String, String, String> {
      private @Nullable KeyValueStore<String, String> last;

      @Override
      public void open(ProcessorContext<String> context) {
        last = context.store(LAST);
      }

      @Override
      public void process(Records<String, String> records, Output<String> out) {
        while (records.next()) {
          Objects.requireNonNull(last).put(Objects.requireNonNull(records.key()), records.value());
          out.emit(records.value());
        }
      }
    }
  }

  /// @param record the largest of the exchange: key and value
  /// @param value the largest of the store
  /// @param sent the largest of the topic of the sink: key and value
  private record Limits(int record, int value, int sent) {
    /// The key has one byte.
    boolean takes(String text) {
      return text.length() + 1 <= record && text.length() <= value && text.length() + 1 <= sent;
    }
  }

  /// A drawn job, its values, and what must come of them.
  private record Job(
      List<String> values, int partitions, SimulationSettings settings, Limits limits)
      implements DrawnJob {
    @Override
    public StreamApplication application() {
      return new Keeping(partitions);
    }

    @Override
    public Map<String, Integer> topics() {
      return new TreeMap<>(Map.of("in", partitions, "out", 1));
    }

    @Override
    public List<InputRecord> input() {
      List<InputRecord> input = new ArrayList<>();
      for (String value : values) {
        Split split = new Split("in", value.charAt(0) % partitions);
        input.add(new InputRecord(split, 0, null, Bytes.ofUtf8(value)));
      }
      return input;
    }

    @Override
    public void requireExact(Written written) {
      Map<String, List<Integer>> expected = new TreeMap<>();
      Map<String, String> last = new TreeMap<>();
      for (String value : values) {
        if (limits.takes(value)) {
          String key = value.substring(0, 1);
          expected.computeIfAbsent(key, _ -> new ArrayList<>()).add(value.length());
          last.put(key, value);
        }
      }
      Map<String, List<Integer>> found = new TreeMap<>();
      for (ModelRecord record : written.records("out")) {
        int length = Objects.requireNonNull(record.value()).length();
        assertTrue(
            length + 1 <= limits.record && length + 1 <= limits.sent, "too large: " + length);
        // One that another takes the place of before the commit is never kept, and may pass.
        if (length <= limits.value) {
          found
              .computeIfAbsent(
                  Objects.requireNonNull(record.key()).toUtf8(), _ -> new ArrayList<>())
              .add(length);
        }
      }
      Scenario.requireEqual("out", expected, found);
      Scenario.requireEqual("store", last, written.store("last", Serdes.string(), Serdes.string()));
    }

    Simulation prepared(long seed, Hosts hosts) {
      Simulation simulation = Simulation.prepared(seed, this, settings, hosts);
      simulation
          .log()
          .changeSettings(
              "out", Map.of("max.message.bytes", Integer.toString(limits.sent + FRAME_BYTES)));
      return simulation;
    }
  }

  private static Job drawn(long seed) {
    Seed draw = new Seed(seed).fork("sizes");
    Limits limits =
        new Limits(draw.between(100, 3_000), draw.between(100, 3_000), draw.between(100, 3_000));
    List<String> values = new ArrayList<>();
    int count = draw.between(50, 400);
    double large = draw.coin() ? 0.02 : 0.3;
    for (int i = 0; i < count; i++) {
      int about = draw.pick(List.of(limits.record, limits.value, limits.sent));
      int size = draw.chance(large) ? about + draw.between(-3, 3) : draw.between(1, 60);
      values.add(("" + draw.below(KEYS)).repeat(size));
    }
    SimulationSettings settings = SimulationSettings.drawn(seed, "in");
    return new Job(
        values,
        draw.between(1, 3),
        settings.withEngine(engine ->
            engine
                .withErrors(errors -> errors.withOnError(OnError.SKIP))
                .withState(state -> state.withSizes(sizes(limits)))),
        limits);
  }

  private static SizeLimits sizes(Limits limits) {
    return SizeLimits.defaults()
        .withValueBytes(50)
        .withStores(Map.of("keeper", limits.value))
        .withRecordBytes(60)
        .withExchanges(Map.of("by-key", limits.record));
  }

  @Test
  void whatIsTooLargeIsPassedOverAndAllElseArrives() {
    int refused = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      Job job = drawn(seed);
      try (Hosts hosts = Hosts.models()) {
        Simulation simulation = job.prepared(seed, hosts);
        Chaos.run(
            simulation,
            seed,
            Scenario.named("bad-records").schedule(seed),
            Scenario.hasFaults(seed));
        simulation.log().advance(Duration.ofSeconds(5)); // the last markers
        job.requireExact(Written.by(simulation));
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
      refused += (int) job.values.stream().filter(value -> !job.limits.takes(value)).count();
    }
    System.out.printf("crash schedules: %d, with %d values too large%n", SEEDS, refused);
    assertTrue(refused > SEEDS, "Too few values were too large: " + refused);
  }

  private static Job large(List<Integer> sizes, Limits limits, OnError policy) {
    SimulationSettings settings = SimulationSettings.of("in");
    return new Job(
        sizes.stream().map("1"::repeat).toList(),
        1,
        settings.withEngine(engine ->
            engine
                .withErrors(errors -> errors.withOnError(policy))
                .withState(state -> state.withSizes(sizes(limits)))),
        limits);
  }

  @Test
  void valuesOfManyMegabytesGoThroughAnExchangeAndAStoreIfTheyMay() {
    Limits limits = new Limits(8 * MB + 1, 8 * MB, 8 * MB + 1);
    Job job = large(List.of(8 * MB, 10, 8 * MB - 1, 8 * MB + 1, 8 * MB), limits, OnError.SKIP);
    try (Hosts hosts = Hosts.models()) {
      Simulation simulation = job.prepared(1, hosts);
      simulation.startAll();
      for (int i = 0; i < 60; i++) {
        simulation.step();
      }
      simulation.crash(0, true);
      simulation.startAll();
      simulation.runToCompletion(1_000_000);
      job.requireExact(Written.by(simulation));
    }
  }

  @Test
  void theyGoThroughMemoryAsWell() {
    Limits limits = new Limits(8 * MB + 1, 8 * MB, 8 * MB + 1);
    Job job = large(List.of(8 * MB, 10, 8 * MB - 1, 8 * MB), limits, OnError.FAIL);
    Job direct = new Job(job.values, 1, job.settings.withShape(1, 2, Groups.DIRECT), job.limits);
    try (Hosts hosts = Hosts.models()) {
      Simulation simulation = direct.prepared(1, hosts);
      simulation.startAll();
      simulation.runToCompletion(1_000_000);
      direct.requireExact(Written.by(simulation));
    }
  }

  @Test
  void aRefusalSaysWhereWhatHowLargeAndWhichSettingRaisesTheLimit() {
    assertRefused(
        new Limits(100, 1_000, 1_000),
        "in:0:0",
        "102 bytes",
        "'by-key' accepts at most 100",
        "exchanges.max-record-of",
        "keeping.by-key-exchange");
    assertRefused(
        new Limits(1_000, 100, 1_000),
        "by-key-exchange:0:0",
        "101 bytes",
        "'last'",
        "key 31",
        "at most 100",
        "state.max-value-of");
    assertRefused(
        new Limits(1_000, 1_000, 101),
        "by-key-exchange:0:0",
        "102 bytes",
        "topic 'out' accepts at most 101",
        "max.message.bytes");
  }

  private static void assertRefused(Limits limits, String... told) {
    Job job = large(List.of(101), limits, OnError.FAIL);
    try (Hosts hosts = Hosts.models()) {
      Simulation simulation = job.prepared(1, hosts);
      simulation.startAll();
      while (simulation.failures().isEmpty()) {
        simulation.step();
        assertTrue(simulation.steps() < 100_000, "Nothing was refused.");
      }
      Failure failure = simulation.failures().getFirst();
      assertEquals(Failure.Kind.BAD_INPUT, failure.kind());
      for (String each : told) {
        assertTrue(failure.message().contains(each), each + ": " + failure.message());
      }
    }
  }

  @Test
  void theTopicsOfAnApplicationTakeWhatItMayKeepAndExchange() {
    Job job = large(List.of(1), new Limits(8 * MB, 16 * MB, 100), OnError.FAIL);
    try (Hosts hosts = Hosts.models()) {
      Simulation simulation = job.prepared(1, hosts);
      Map<String, Log.TopicInfo> topics =
          simulation.log().topics(List.of("keeping-changelog", "keeping.by-key-exchange"));
      assertEquals(
          "17110016", // 16 MB, a key of 64 KB, a sixty-fourth of both, and 4 KB
          topics.get("keeping-changelog").settings().get("max.message.bytes"));
      assertEquals(
          "8523776", topics.get("keeping.by-key-exchange").settings().get("max.message.bytes"));
    }
  }
}
