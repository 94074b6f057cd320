package dev.millrace;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import dev.millrace.api.serde.Was;
import dev.millrace.config.JobConfig;
import dev.millrace.config.PlacementConfig;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.settings.ChangeConfig;
import dev.millrace.spi.settings.StateConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Two processes with an older and a newer version of a program, restarted in drawn order while
/// records come, so that tasks go from one to the other: what one has written, in stores and
/// exchanges, the other one reads.
class RolledOutOnKafkaTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int PARTITIONS = 4;
  private static final int USERS = 12;
  private static final int ROUND = 40;

  @TempDir Path directory;

  private interface OfUser {
    String user();
  }

  private static final Mapper<OfUser, String> BY_USER = visit -> visit.user();

  private record OldVisit(String user, int weight) implements OfUser {}

  private record OldProfile(int n, int sum) {}

  private record NewVisit(String user, @Was("weight") long points, @Nullable String page)
      implements OfUser {}

  private record NewProfile(
      @Was("n") long visits, @Was("sum") @Nullable Long points, @Nullable String page) {}

  private static void older(Topology topology, String name) {
    topology
        .from(Kafka.source(name + "-in").value(Serdes.string()).startAtEarliest())
        .map(line -> new OldVisit(line.split(" ")[0], Integer.parseInt(line.split(" ")[1])))
        .groupBy("by-user", BY_USER)
        .aggregate(
            "profiles",
            () -> new OldProfile(0, 0),
            (profile, visit) -> new OldProfile(profile.n + 1, profile.sum + visit.weight))
        .toStream()
        .mapValues(profile -> profile.n + " " + profile.sum)
        .to(Kafka.sink(name + "-out").key(Serdes.string()).value(Serdes.string()));
  }

  private static void newer(Topology topology, String name) {
    topology.renamed("profiles", "totals");
    topology
        .from(Kafka.source(name + "-in").value(Serdes.string()).startAtEarliest())
        .map(line -> new NewVisit(line.split(" ")[0], Long.parseLong(line.split(" ")[1]), "p"))
        .groupBy("by-user", BY_USER)
        .aggregate(
            "totals",
            () -> new NewProfile(0, 0L, null),
            (profile, visit) ->
                new NewProfile(
                    profile.visits + 1, or0(profile.points) + visit.points, visit.page()))
        .toStream()
        .mapValues(profile -> profile.visits + " " + or0(profile.points))
        .to(Kafka.sink(name + "-out").key(Serdes.string()).value(Serdes.string()));
  }

  private static long or0(@Nullable Long number) {
    return number == null ? 0 : number;
  }

  private record Named(String name, BiConsumer<Topology, String> program)
      implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      program.accept(topology, name);
    }
  }

  private Job start(String name, boolean isNew, int home) {
    BiConsumer<Topology, String> program =
        isNew ? RolledOutOnKafkaTest::newer : RolledOutOnKafkaTest::older;
    return Millrace.start(new Named(name, program), config(home));
  }

  private JobConfig config(int home) {
    return JobConfig.of(bootstrapServers())
        .withPlacement(PlacementConfig.defaults().withWorkers(1))
        .withState(StateConfig.in(directory.resolve("state-" + home)))
        .withChange(new ChangeConfig(ChangeConfig.AUTO));
  }

  /// Writes records, and what is counted of each user then.
  private static int write(String name, Random random, Map<String, long[]> counted) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < ROUND; i++) {
      String user = "u" + random.nextInt(USERS);
      int weight = random.nextInt(100) - 50;
      long[] of = counted.computeIfAbsent(user, _ -> new long[2]);
      of[0]++;
      of[1] += weight;
      lines.add(user + " " + weight);
    }
    SharedTopics.write(name + "-in", lines.toArray(String[]::new));
    return lines.size();
  }

  private static void assertCounted(String name, int records, Map<String, long[]> counted) {
    Map<String, String> last = new HashMap<>();
    SharedTopics.read(name + "-out", records)
        .forEach(record -> last.put(record.key(), record.value()));
    Map<String, String> expected = new HashMap<>();
    counted.forEach((user, of) -> expected.put(user, of[0] + " " + of[1]));
    assertEquals(expected, last);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void processesOfBothVersionsReadWhatTheOtherWrote(long seed) throws Exception {
    Random random = new Random(seed);
    String name = uniqueName("rolled");
    SharedTopics.create(name + "-in", PARTITIONS);
    SharedTopics.create(name + "-out", 1);
    Map<String, long[]> counted = new HashMap<>();
    int records = 0;
    @Nullable Job[] jobs = {start(name, false, 0), start(name, false, 1)};
    try {
      records += write(name, random, counted);
      assertCounted(name, records, counted);
      for (int round = 0; round < 6; round++) {
        int home = round == 0 ? 0 : random.nextInt(2);
        boolean isNew = round == 0 || random.nextBoolean();
        records += write(name, random, counted);
        close(jobs[home]);
        jobs[home] = null;
        jobs[home] = start(name, isNew, home);
        records += write(name, random, counted);
        assertCounted(name, records, counted);
        for (Job job : jobs) {
          assertNull(job == null ? null : job.failure());
        }
      }
    } finally {
      Arrays.stream(jobs).forEach(RolledOutOnKafkaTest::close);
    }
  }

  /// A process that has run since before there was a newer version takes over what that one has
  /// committed: it finds out then that the newer one was made from its own.
  @Test
  void whoeverStillRunsTakesOverWhatTheNewerVersionHasCommitted() throws Exception {
    String name = uniqueName("left");
    SharedTopics.create(name + "-in", PARTITIONS);
    SharedTopics.create(name + "-out", 1);
    Map<String, long[]> counted = new HashMap<>();
    Random random = new Random(5);
    try (Job older = start(name, false, 1)) {
      int records = write(name, random, counted);
      assertCounted(name, records, counted);
      try (Job newer = start(name, true, 0)) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (newer.metrics().tasks().size() < 2) {
          assertTrue(System.nanoTime() < deadline, "It gets none of the tasks.");
          Thread.sleep(50);
        }
        records += write(name, random, counted);
        assertCounted(name, records, counted);
      }
      records += write(name, random, counted);
      assertCounted(name, records, counted);
      assertNull(older.failure());
    }
  }

  private static void close(@Nullable Job job) {
    if (job != null) {
      job.close();
    }
  }

  /// Without an older version that has to read it, the newer one writes its own format, which the
  /// older one is told.
  @Test
  void theOlderVersionReturnsWithItsFormats() throws Exception {
    String name = uniqueName("returned");
    SharedTopics.create(name + "-in", PARTITIONS);
    SharedTopics.create(name + "-out", 1);
    Map<String, long[]> counted = new HashMap<>();
    Random random = new Random(9);
    int records = 0;
    for (boolean isNew : List.of(false, true, false, true, true, false)) {
      Job first = start(name, isNew, 0);
      Job second = start(name, isNew, 1);
      try {
        records += write(name, random, counted);
        assertCounted(name, records, counted);
      } finally {
        first.close();
        second.close();
      }
    }
  }

  private record Latest<V>(String name, Serde<V> values) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source(name + "-in").value(values).startAtEarliest())
          .groupBy("by-text", value -> value.toString())
          .latest("latest")
          .toStream()
          .to(Kafka.sink(name + "-out").partitions(1).key(Serdes.string()).value(values));
    }
  }

  /// The older version would meet records that it cannot read.
  @Test
  void aMigrationWithoutAWayBackIsRefusedBesideTheOlderVersion() throws Exception {
    String name = uniqueName("one-way");
    SharedTopics.create(name + "-in", PARTITIONS);
    Serde<OldProfile> before = Serdes.record(OldProfile.class);
    var older = new Latest<>(name, before);
    var newer =
        new Latest<>(
            name, Serdes.version(2, Serdes.string()).from(1, before, each -> each.sum() + ""));
    try (Job first = Millrace.start(older, config(0))) {
      LaunchTest.await(first, JobState.RUNNING);
      try (Job second = Millrace.start(newer, config(1))) {
        assertTrue(second.await(PATIENCE), "It is not refused.");
        String refused = String.valueOf(second.failure());
        assertTrue(refused.contains("run the version before, which could not read"), refused);
        assertTrue(refused.contains("Stop all of them, and start this one again."), refused);
      }
    }
    try (Job alone = Millrace.start(newer, config(1))) {
      LaunchTest.await(alone, JobState.RUNNING);
    }
  }
}
