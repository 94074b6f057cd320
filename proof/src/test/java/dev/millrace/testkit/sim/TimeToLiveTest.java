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
import dev.millrace.internal.engine.commit.CommitRecord;
import dev.millrace.internal.engine.commit.Failure;
import dev.millrace.internal.engine.plan.Partitioner;
import dev.millrace.internal.state.StateLimits;
import dev.millrace.spi.Split;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.ModelRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Values with a time to live, under crashes. The oracle takes nothing but what is committed: the
/// commit records say which records were processed at which time of the task.
class TimeToLiveTest {
  private static final int SEEDS = 150;
  private static final int PARTITIONS = 2;
  private static final int RECORDS = 250;
  private static final Duration TIME = Duration.ofMillis(100);
  private static final StoreSpec<String, String> LAST =
      StoreSpec.keyValue("last", Serdes.string(), Serdes.string());

  /// Tells of each record which one of its key it still knows.
  private record Remembers(StoreSpec<String, String> last) implements StreamApplication {
    @Override
    public String name() {
      return "remembers";
    }

    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source("in").key(Serdes.string()).value(Serdes.string()).asBounded())
          .process("keeper", () -> new Keeper(last), last)
          .to(Kafka.sink("out").key(Serdes.string()).value(Serdes.string()));
    }
  }

  private static final class Keeper implements Processor<String, String, String> {
    private final StoreSpec<String, String> spec;
    private KeyValueStore<String, String> last;

    Keeper(StoreSpec<String, String> spec) {
      this.spec = spec;
    }

    @Override
    public void open(ProcessorContext<String> context) {
      last = context.store(spec);
    }

    @Override
    public void process(Records<String, String> records, Output<String> out) {
      while (records.next()) {
        out.emit(records.value() + " after " + last.get(records.key()));
        last.put(records.key(), records.value());
      }
    }
  }

  private int known;
  private int expired;
  private int swept;

  private static Simulation prepared(long seed, StoreSpec<String, String> spec) {
    Seed choices = new Seed(seed).fork("shape");
    SimulationSettings settings =
        SimulationSettings.of("in").withShape(choices.between(1, 2), 1, false);
    if (choices.coin()) {
      settings =
          settings.withLimits(
              StateLimits.defaults().withCacheBytes(2_000).withCommittedShareBytes(1_000));
    }
    Simulation simulation = new Simulation(seed, new Remembers(spec), settings);
    simulation.log().createTopic("in", PARTITIONS);
    simulation.log().createTopic("out", PARTITIONS);
    return simulation;
  }

  private static void append(Simulation simulation, Seed random, int from, int to) {
    for (int i = from; i < to; i++) {
      byte[] key = ("k" + random.below(30)).getBytes(StandardCharsets.UTF_8);
      Split split = new Split("in", Partitioner.partition(Bytes.of(key), PARTITIONS));
      byte[] value = ("r" + i).getBytes(StandardCharsets.UTF_8);
      simulation.log().append(split, i, key, value, new byte[0]);
    }
  }

  @Test
  void whatHasExpiredFollowsFromTheCommitsWhateverCrashes() {
    EachSeed.run(1, SEEDS, this::expire);
    System.out.println("known " + known + ", expired " + expired + ", swept " + swept);
    assertTrue(known > 1_000 && expired > 1_000 && swept > 100);
  }

  private void expire(long seed) {
    Simulation simulation = prepared(seed, LAST.withTimeToLive(TIME));
    append(simulation, new Seed(seed).fork("records"), 0, RECORDS);
    CrashSchedule schedule = CrashSchedule.drawn(new Seed(seed), 0.004);
    Chaos.run(simulation, seed, schedule, Scenario.hasFaults(seed));
    simulation.log().advance(Duration.ofSeconds(5));
    for (int partition = 0; partition < PARTITIONS; partition++) {
      check(simulation, partition);
    }
  }

  /// What a task said, against what follows from its commits.
  private void check(Simulation simulation, int partition) {
    List<CommitRecord> commits = new ArrayList<>();
    for (ModelRecord record :
        simulation.log().records(simulation.plan().changelogTopic(), partition)) {
      Bytes key = Objects.requireNonNull(record.key());
      if (key.equals(CommitRecord.KEY)) {
        commits.add(CommitRecord.read(Objects.requireNonNull(record.value())));
      } else if (record.value() == null) {
        swept++;
      }
    }
    List<String> out = new ArrayList<>();
    simulation.log().records("out", partition).forEach(record -> out.add(record.valueText()));
    List<ModelRecord> in = simulation.log().records("in", partition);
    assertEquals(in.size(), out.size());
    Map<String, Integer> last = new TreeMap<>();
    for (int i = 0; i < in.size(); i++) {
      String key = Objects.requireNonNull(in.get(i).keyText());
      Integer before = last.put(key, i);
      int commit = commitOf(commits, in.get(i).offset());
      String expected = in.get(i).valueText() + " after ";
      if (before == null) {
        assertEquals(expected + "null", out.get(i));
      } else {
        int put = commitOf(commits, in.get(before).offset());
        if (put > 0 || put == commit) {
          boolean there =
              put == commit
                  || commits.get(commit - 1).writtenMillis()
                      < commits.get(put - 1).writtenMillis() + TIME.toMillis();
          assertEquals(expected + (there ? in.get(before).valueText() : "null"), out.get(i));
          known += there ? 1 : 0;
          expired += there ? 0 : 1;
        }
      }
    }
  }

  /// Which commit, from 0, took a record in: the first that stands behind it.
  private static int commitOf(List<CommitRecord> commits, long offset) {
    for (int i = 0; i < commits.size(); i++) {
      if (commits.get(i).inputs().getFirst().position().offset() > offset) {
        return i;
      }
    }
    throw new AssertionError("Offset " + offset + " was never committed.");
  }

  @Test
  void timesOfCommitsNeverGoBack() {
    for (long seed = 1; seed <= 20; seed++) {
      Simulation simulation = prepared(seed, LAST.withTimeToLive(TIME));
      append(simulation, new Seed(seed).fork("records"), 0, RECORDS);
      Chaos.run(simulation, seed, CrashSchedule.drawn(new Seed(seed), 0.004), true);
      simulation.log().advance(Duration.ofSeconds(5));
      long before = Long.MIN_VALUE;
      for (ModelRecord record : simulation.log().records(simulation.plan().changelogTopic(), 0)) {
        if (CommitRecord.KEY.equals(record.key())) {
          CommitRecord commit = CommitRecord.read(Objects.requireNonNull(record.value()));
          assertTrue(commit.writtenMillis() >= before);
          before = commit.writtenMillis();
        }
      }
    }
  }

  @Test
  void aStoreOfTheOtherKindIsRefused() {
    for (boolean first : new boolean[] {true, false}) {
      Simulation simulation = prepared(1, first ? LAST : LAST.withTimeToLive(TIME));
      append(simulation, new Seed(1), 0, 20);
      simulation.startAll();
      simulation.runToCompletion(100_000);
      simulation.crash(0, false);
      simulation.application(new Remembers(first ? LAST.withTimeToLive(TIME) : LAST));
      simulation.startAll();
      while (simulation.failures().isEmpty()) {
        simulation.step();
        assertTrue(simulation.steps() < 200_000, "Nobody refused.");
      }
      Failure failure = simulation.failures().getFirst();
      assertEquals(Failure.Kind.SETUP, failure.kind(), failure::message);
    }
  }

  @Test
  void anotherTimeIsNotAnotherStore() {
    Simulation simulation = prepared(1, LAST.withTimeToLive(TIME));
    long version = simulation.plan().version();
    assertEquals(version, prepared(1, LAST.withTimeToLive(TIME.plusDays(1))).plan().version());
  }
}
