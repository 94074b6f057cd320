package dev.millrace.testkit.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.Topics;
import dev.millrace.internal.engine.commit.Failure;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.settings.EngineSettings;
import dev.millrace.spi.Split;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// When a task goes on from its local state, and when it does not.
class ReopeningTest {
  private static final int STEPS = 200_000;
  private static final Duration NEVER = Duration.ofDays(100);

  private final SumsRun job = SumsRun.prepared(1, SimulationSettings.of("events"));
  private final Simulation simulation = job.simulation();

  private long sum(ToLongFunction<TaskMetrics> metric) {
    Engine engine = Objects.requireNonNull(simulation.engine(0));
    return engine.taskMetrics().values().stream().mapToLong(metric).sum();
  }

  /// Starts the job, lets it process some records, and kills it.
  private void runUntil(int processed) {
    simulation.startAll();
    while (sum(TaskMetrics::processed) < processed) {
      simulation.step();
      assertTrue(simulation.steps() < STEPS, simulation::state);
    }
    simulation.crash(0, false);
  }

  private void flushingEvery(Duration interval) {
    simulation.settings(flushing(interval));
  }

  private static EngineSettings flushing(Duration interval) {
    return SimulationSettings.engineSettings(Duration.ofMillis(20), interval);
  }

  private void runToTheEnd() {
    simulation.startAll();
    simulation.runToCompletion(STEPS);
    simulation.log().advance(Duration.ofSeconds(5));
    job.requireExact();
    // A window that came back would send its results again, to a ranking that is closed.
    assertEquals(0, sum(TaskMetrics::late));
  }

  private Failure refused() {
    simulation.startAll();
    while (simulation.failures().isEmpty()) {
      simulation.step();
      assertTrue(simulation.steps() < STEPS, "It was not refused.");
    }
    Failure failure = simulation.failures().getFirst();
    assertEquals(Failure.Kind.SETUP, failure.kind(), failure::message);
    return failure;
  }

  private List<Split> changelog() {
    return simulation.log().topics(List.of("sums-changelog")).values().stream()
        .flatMap(topic -> IntStream.range(0, topic.partitions()).boxed())
        .map(partition -> new Split("sums-changelog", partition))
        .toList();
  }

  @Test
  void theTailAloneIsReplayedAfterACrash() {
    flushingEvery(Duration.ofMillis(10));
    runUntil(500);
    long records = changelog().stream().mapToLong(this::end).sum();
    simulation.startAll();
    while (sum(TaskMetrics::processed) == 0) {
      simulation.step();
    }
    long replayed = sum(TaskMetrics::restored);
    assertTrue(replayed < records / 2, () -> replayed + " of " + records + " were replayed.");
    runToTheEnd();
  }

  private long end(Split split) {
    return Objects.requireNonNull(simulation.log().offsets(List.of(split)).get(split)).end();
  }

  @Test
  void aDiskThatIsOlderThanDeletionsAreKeptIsRestoredFromTheChangelog() {
    NotesRun notes = new NotesRun(false, SimulationSettings.of("in").withEngine(flushing(NEVER)));
    notes.add("a", "put x").process();
    notes.simulation.stopAll();
    while (notes.simulation.allRun()) {
      notes.simulation.step();
    }
    // Now "x" is on disk. That it is deleted is in the changelog alone, and then not even there.
    notes.add("a", "delete").process();
    notes.simulation.crash(0, false);
    for (int i = 0; i < 20; i++) {
      notes.add("b" + i, "put y").process();
      notes.simulation.crash(0, false);
    }
    Split split = new Split("notes-changelog", 0);
    for (int i = 0; i < 3; i++) {
      notes.simulation.log().advance(Duration.ofHours(25));
      notes.simulation.log().clean(split);
    }
    assertTrue(
        notes.simulation.log().records("notes-changelog").stream()
            .noneMatch(record -> "a".equals(record.keyText().substring(2))));
    notes.add("a", "get").process();
    notes.simulation.log().advance(Duration.ofSeconds(1));
    assertEquals(List.of("nothing"), notes.out());
  }

  @Test
  void aDiskWhoseEntriesDoNotChangeStaysYoung() {
    NotesRun notes = new NotesRun(false, SimulationSettings.of("in"));
    for (int i = 0; i < 50; i++) {
      notes.add("a" + i, "put x");
    }
    notes.process();
    for (int hour = 0; hour < 40; hour++) {
      notes.add("a", "nothing to be done").process();
      notes.simulation.log().advance(Duration.ofHours(1));
    }
    notes.simulation.crash(0, false);
    notes.add("a7", "get").process();
    assertTrue(notes.sum(TaskMetrics::restored) < 20, "It was restored from the beginning.");
    notes.simulation.log().advance(Duration.ofSeconds(1));
    assertEquals(List.of("x"), notes.out());
  }

  @Test
  void aDiskOfLessThanHalfThatAgeIsGoneOnFrom() {
    flushingEvery(Duration.ofMillis(10));
    runUntil(500);
    simulation.log().advance(Duration.ofHours(11));
    simulation.startAll();
    while (sum(TaskMetrics::processed) == 0) {
      simulation.step();
    }
    long replayed = sum(TaskMetrics::restored);
    long records = changelog().stream().mapToLong(this::end).sum();
    assertTrue(replayed < records / 2, () -> replayed + " of " + records + " were replayed.");
  }

  @Test
  void aCorruptDiskIsRestoredFromTheChangelog() {
    flushingEvery(Duration.ofMillis(10));
    runUntil(500);
    for (String name : simulation.files(0).names()) {
      simulation.files(0).flipBit(name, 8L * (simulation.files(0).lengthOf(name) / 2));
    }
    runToTheEnd();
  }

  @Test
  void aChangelogThatWasRecreatedIsRefused() {
    flushingEvery(Duration.ofMillis(10));
    runUntil(500);
    simulation.log().deleteTopic("sums-changelog");
    Topics.missing(
            simulation.log(),
            Topics.needed(simulation.plan(), SimulationSettings.of("events").engine().errors()))
        .forEach(simulation.log()::createTopic);
    String said = refused().message();
    assertTrue(said.contains("sums-changelog-"), said);
    assertTrue(said.contains("created again"), said);
  }

  @Test
  void aChangelogWhoseBeginningWasDeletedIsRefused() {
    flushingEvery(NEVER);
    runUntil(500);
    for (Split split : changelog()) {
      simulation.log().expire(split, end(split) / 2);
    }
    String said = refused().message();
    assertTrue(said.contains("begins at offset "), said);
    assertTrue(said.contains("were deleted"), said);
  }

  @Test
  void aChangelogThatLostItsEndIsRefused() {
    flushingEvery(Duration.ofMillis(10));
    runUntil(500);
    for (Split split : changelog()) {
      simulation.log().truncate(split, 1);
    }
    String said = refused().message();
    assertTrue(said.contains("records of the changelog were lost"), said);
  }
}
