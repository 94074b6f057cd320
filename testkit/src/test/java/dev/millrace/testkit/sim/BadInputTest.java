package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serdes;
import dev.millrace.engine.chain.Partitioner;
import dev.millrace.engine.commit.Failure;
import dev.millrace.engine.settings.EngineSettings;
import dev.millrace.engine.settings.EngineSettings.BadInput;
import dev.millrace.engine.settings.EngineSettings.Place;
import dev.millrace.spi.Headers;
import dev.millrace.spi.Split;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.log.ModelRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Records that cannot be decoded, or that a user's function refuses, in a job that is crashed at
/// random: whatever the policy, every other record counts exactly once.
class BadInputTest {
  private static final int PARTITIONS = 2;
  private static final int RECORDS = 120;
  private static final int SEEDS = 100;
  private static final long MOST_STEPS = 200_000;
  private static final String DEAD_LETTERS = "dead-letters";
  private static final byte[] GARBAGE = {9, 9, 9};

  /// Refused before the exchange, in the task that read the record.
  private static final long UNLUCKY = 13;

  /// Refused behind the exchange.
  private static final long TOO_LATE = 77;

  record Event(String key, long value, long at) {}

  /// A record of the input.
  ///
  /// @param event null if its bytes cannot be decoded
  private record Written(Place place, byte[] key, byte[] value, Event event) {
    boolean badAtSource() {
      return event == null || event.value() == UNLUCKY;
    }
  }

  static final class Sums implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      var events =
          topology.from(
              Kafka.topic("events")
                  .key(Serdes.string())
                  .value(Serdes.record(Event.class))
                  .eventTime(event -> Instant.ofEpochMilli(event.at()))
                  .asBounded());
      events
          .mapValues(event -> lucky(event))
          .groupByKey()
          .aggregate("sums", () -> 0L, (sum, event) -> sum + event.value())
          .to(Kafka.topic("sums").key(Serdes.string()).value(Serdes.longs()));
      events
          .groupBy("by-remainder", event -> "r" + event.value() % 7)
          .aggregate("remainders", () -> 0L, (count, event) -> early(count, event))
          .to(Kafka.topic("remainders").key(Serdes.string()).value(Serdes.longs()));
    }

    private static Event lucky(Event event) {
      if (event.value() == UNLUCKY) {
        throw new IllegalStateException("13 is unlucky");
      }
      return event;
    }

    private static Long early(Long count, Event event) {
      if (event.value() == TOO_LATE) {
        throw new IllegalStateException("77 comes too late");
      }
      return count + 1;
    }
  }

  @Test
  void theJobStopsAndNamesTheRecordAndGoesOnWhenToldToSkipIt() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      try {
        stopAndSkip(seed);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
    System.out.println("crash schedules: " + SEEDS + " with records that stop the job");
  }

  private static void stopAndSkip(long seed) {
    Run run = new Run(seed, BadInput.FAIL);
    Set<Place> skipped = new HashSet<>();
    Set<Place> atSource = run.badAtSource();
    while (!run.completes()) {
      for (Failure failure : run.simulation.failures()) {
        if (failure.kind() == Failure.Kind.BAD_INPUT && skipped.add(named(failure.message()))) {
          Place place = named(failure.message());
          assertTrue(
              atSource.contains(place) || place.topic().contains("by-remainder"),
              failure.message());
          assertTrue(failure.message().contains("--skip " + place), failure.message());
          assertTrue(failure.message().contains("dead-letter"), failure.message());
          run.assertPrefix();
          run.simulation.settings(settings(BadInput.FAIL, Set.copyOf(skipped)));
        }
      }
    }
    run.assertExact();
    assertTrue(skipped.containsAll(atSource));
    assertEquals(atSource.size() + run.refusedBehindTheExchange(), skipped.size());
  }

  /// The place in "cannot process the record at TOPIC:PARTITION:OFFSET in".
  private static Place named(String message) {
    String[] parts = message.replaceAll("(?s).*the record at (\\S+) in .*", "$1").split(":");
    return new Place(parts[0], Integer.parseInt(parts[1]), Long.parseLong(parts[2]));
  }

  @Test
  void badRecordsArePassedOver() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      Run run = new Run(seed, BadInput.SKIP);
      while (!run.completes()) {}
      run.assertExact();
    }
    System.out.println("crash schedules: " + SEEDS + " with records that are passed over");
  }

  @Test
  void aDeadLetterIsWrittenOnceWithItsBytesHeadersCauseAndPlace() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      Run run = new Run(seed, BadInput.DEAD_LETTER);
      boolean crashedAround = false;
      while (!run.completes()) {
        // A dead letter is written, and its transaction is not decided.
        if (!crashedAround && !run.simulation.log().undecided(DEAD_LETTERS, 0).isEmpty()) {
          crashedAround = true;
          run.simulation.crash(0, true);
          run.simulation.crash(1, true);
        }
      }
      assertTrue(crashedAround, "seed " + seed);
      run.assertExact();
      run.assertDeadLetters();
    }
    System.out.println("crash schedules: " + SEEDS + " with dead letters");
  }

  private static EngineSettings settings(BadInput policy, Set<Place> skipped) {
    return SimulationSettings.engineSettings(Duration.ofMillis(20), Duration.ofMillis(200))
        .withBadInput(policy, policy == BadInput.DEAD_LETTER ? DEAD_LETTERS : "", skipped);
  }

  /// One job, from its input to its end.
  private static final class Run {
    private final Simulation simulation;
    private final Seed chaos;
    private final List<Written> input = new ArrayList<>();

    Run(long seed, BadInput policy) {
      chaos = new Seed(seed).fork("chaos");
      Seed shape = new Seed(seed).fork("shape");
      simulation =
          new Simulation(
              seed,
              new Sums(),
              SimulationSettings.of("events")
                  .withShape(2, shape.between(1, 2), shape.coin())
                  .withEngine(settings(policy, Set.of())));
      simulation.log().createTopic("events", PARTITIONS);
      simulation.log().createTopic("sums", PARTITIONS);
      simulation.log().createTopic("remainders", PARTITIONS);
      write(new Seed(seed).fork("events"));
      simulation.plan();
      simulation.startAll();
    }

    private void write(Seed random) {
      var serde = Serdes.record(Event.class);
      long at = 1_000_000;
      Map<Integer, Long> next = new HashMap<>();
      for (int i = 0; i < RECORDS; i++) {
        at += random.below(1_000);
        long value = i == 20 ? UNLUCKY : i == 30 ? TOO_LATE : random.below(80);
        Event event = new Event("k" + random.below(8), value, at);
        boolean garbage = i == 25 || random.chance(0.01);
        BytesWriter out = new BytesWriter();
        serde.write(event, out);
        byte[] bytes = garbage ? GARBAGE : out.toByteArray();
        byte[] key = event.key().getBytes(StandardCharsets.UTF_8);
        BytesWriter headers = new BytesWriter();
        Headers.begin(1, headers);
        Headers.write("origin", ("record " + i).getBytes(StandardCharsets.UTF_8), headers);
        int partition = Partitioner.partition(Bytes.of(key), PARTITIONS);
        long offset =
            simulation
                .log()
                .append(new Split("events", partition), 0, key, bytes, headers.toByteArray());
        assertEquals(next.merge(partition, 1L, Long::sum) - 1, offset);
        input.add(
            new Written(
                new Place("events", partition, offset), key, bytes, garbage ? null : event));
      }
    }

    /// Goes on by a step, or a crash.
    ///
    /// @return whether the job has come to its end
    boolean completes() {
      if (simulation.completed()) {
        return true;
      }
      simulation.step();
      if (chaos.chance(0.002)) {
        int victim = chaos.below(2);
        if (chaos.coin()) {
          simulation.crash(victim, chaos.coin());
        } else {
          simulation.crashInDisk(victim, chaos.between(1, 20));
        }
      }
      if (!simulation.allRun() && chaos.chance(0.05)) {
        simulation.startAll();
      }
      assertTrue(simulation.steps() < MOST_STEPS, simulation::state);
      return false;
    }

    Set<Place> badAtSource() {
      Set<Place> places = new HashSet<>();
      input.stream().filter(Written::badAtSource).forEach(bad -> places.add(bad.place()));
      return places;
    }

    long refusedBehindTheExchange() {
      return input.stream()
          .filter(written -> !written.badAtSource() && written.event().value() == TOO_LATE)
          .count();
    }

    void assertExact() {
      simulation.log().advance(Duration.ofSeconds(5));
      assertEquals(expectedSums(), found("sums"));
      assertEquals(expectedRemainders(), found("remainders"));
    }

    /// What is there is right, as far as it goes.
    void assertPrefix() {
      Map<String, List<Long>> expected = expectedSums();
      found("sums")
          .forEach(
              (key, sums) -> assertEquals(expected.get(key).subList(0, sums.size()), sums, key));
    }

    private Map<String, List<Long>> expectedSums() {
      Map<String, Long> running = new HashMap<>();
      Map<String, List<Long>> expected = new TreeMap<>();
      for (Written written : input) {
        if (!written.badAtSource()) {
          Event event = written.event();
          long sum = running.merge(event.key(), event.value(), Long::sum);
          expected.computeIfAbsent(event.key(), key -> new ArrayList<>()).add(sum);
        }
      }
      return expected;
    }

    private Map<String, List<Long>> expectedRemainders() {
      Map<String, List<Long>> expected = new TreeMap<>();
      for (Written written : input) {
        if (!written.badAtSource() && written.event().value() != TOO_LATE) {
          List<Long> counts =
              expected.computeIfAbsent("r" + written.event().value() % 7, key -> new ArrayList<>());
          counts.add(counts.size() + 1L);
        }
      }
      return expected;
    }

    private Map<String, List<Long>> found(String topic) {
      Map<String, List<Long>> found = new TreeMap<>();
      for (ModelRecord record : simulation.log().records(topic)) {
        found
            .computeIfAbsent(record.keyText(), key -> new ArrayList<>())
            .add(Serdes.longs().read(record.value()));
      }
      return found;
    }

    void assertDeadLetters() {
      Map<Place, ModelRecord> letters = new LinkedHashMap<>();
      for (ModelRecord letter : simulation.log().records(DEAD_LETTERS)) {
        Place place =
            new Place(
                header(letter, "millrace.topic"),
                Integer.parseInt(header(letter, "millrace.partition")),
                Long.parseLong(header(letter, "millrace.offset")));
        assertFalse(letters.containsKey(place), () -> "Twice: " + place);
        letters.put(place, letter);
        assertFalse(header(letter, "millrace.operator").isEmpty());
      }
      for (Written written : input) {
        if (written.badAtSource()) {
          ModelRecord letter = letters.remove(written.place());
          assertArrayEquals(written.key(), letter.key().toByteArray());
          assertArrayEquals(written.value(), letter.value().toByteArray());
          assertEquals("record " + input.indexOf(written), header(letter, "origin"));
          if (written.event() != null) {
            assertEquals("13 is unlucky", header(letter, "millrace.cause"));
          }
        }
      }
      assertEquals(refusedBehindTheExchange(), letters.size());
      letters.forEach((place, letter) -> {
        assertTrue(place.topic().endsWith("by-remainder-exchange"), place::toString);
        assertEquals("77 comes too late", header(letter, "millrace.cause"));
      });
    }

    private static String header(ModelRecord record, String name) {
      List<String> values =
          record.headers().stream()
              .filter(header -> header.name().equals(name))
              .map(header -> header.value().toUtf8())
              .toList();
      assertEquals(1, values.size(), () -> name + " in " + record);
      return values.getFirst();
    }
  }
}
