package dev.millrace;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.config.JobConfig;
import dev.millrace.config.MemoryConfig;
import dev.millrace.config.PlacementConfig;
import dev.millrace.config.PlacementConfig.Exchanges;
import dev.millrace.config.StopConfig;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.settings.StateConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Processes that come and go share the tasks of an application, without being told any number.
class MembersOnKafkaTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int PARTITIONS = 6;
  private static final int KEYS = 20;

  @TempDir Path directory;

  private Job start(WordCounts application, String home) {
    return Millrace.start(application, config(home));
  }

  /// With exchanges through memory.
  private Job startDirect(WordCounts application, String home) {
    PlacementConfig direct = PlacementConfig.defaults().withExchanges(Exchanges.DIRECT);
    return Millrace.start(application, config(home).withPlacement(direct));
  }

  private JobConfig config(String home) {
    return JobConfig.of(bootstrapServers())
        .withState(StateConfig.in(directory.resolve(home)))
        .withMemory(MemoryConfig.of(64L << 20));
  }

  private static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, what + " does not happen");
      Thread.sleep(20);
    }
  }

  private static int tasks(Job job) {
    return job.metrics().tasks().size();
  }

  /// What the second has was followed there before it came, and lies in its directory.
  @Test
  void aNeighbourGetsWhatAProcessHadFollowed() throws InterruptedException {
    WordCounts application = WordCounts.of(uniqueName("members"), KEYS);
    SharedTopics.create(application.in(), PARTITIONS);
    int all = 2 * PARTITIONS;
    Job first = start(application, "a");
    LaunchTest.await(first, JobState.RUNNING);
    try (Job second = start(application, "b")) {
      await("a share of the second", () -> tasks(second) == all / 2 && tasks(first) == all / 2);
      first.close();
      await("the rest", () -> tasks(second) == all);
      try (Job third = start(application, "b")) {
        await("a share of the third", () -> tasks(third) == all / 2 && tasks(second) == all / 2);
        application.write();
        application.assertCounted(1);
      }
    } finally {
      first.close();
    }
  }

  @Test
  void processesShareTheTasksAndTakeOverThoseOfOneThatEnds() throws InterruptedException {
    WordCounts application = WordCounts.of(uniqueName("members"), KEYS);
    SharedTopics.create(application.in(), PARTITIONS);
    int all = 2 * PARTITIONS;
    Job first = start(application, "a");
    try {
      LaunchTest.await(first, JobState.RUNNING);
      application.write();
      application.assertCounted(1);
      try (Job second = start(application, "b")) {
        await("a share of the second", () -> tasks(second) == all / 2 && tasks(first) == all / 2);
        application.write();
        application.assertCounted(2);
        try (Job third = start(application, "a")) { // shares the home of the first one
          await("a share of the third", () -> tasks(third) == all / 3);
          application.write();
          assertTrue(first.stop(PATIENCE));
          assertEquals(JobState.STOPPED, first.state(), () -> String.valueOf(first.failure()));
          await("its tasks with the others", () -> tasks(second) + tasks(third) == all);
          application.assertCounted(3);
          application.write();
          application.assertCounted(4);
        }
        await("all tasks with the second", () -> tasks(second) == all);
        application.write();
        application.assertCounted(5);
      }
    } finally {
      first.close();
    }
  }

  /// It goes on with its tasks until the other one, which has a directory of its own, has them.
  @Test
  void whoIsToldToStopHandsItsTasksOver() throws InterruptedException {
    WordCounts application = WordCounts.of(uniqueName("stopped"), KEYS);
    SharedTopics.create(application.in(), PARTITIONS);
    int all = 2 * PARTITIONS;
    Duration patient = PATIENCE.dividedBy(2); // the machine may be busy
    StopConfig stop = new StopConfig(PATIENCE, patient);
    Job first = Millrace.start(application, config("a").withStop(stop));
    try (Job second = Millrace.start(application, config("b").withStop(stop))) {
      await("a share of each", () -> tasks(second) == all / 2 && tasks(first) == all / 2);
      application.write();
      assertTrue(first.stop(PATIENCE));
      await("all tasks", () -> tasks(second) == all); // the last ones begin a moment later
      application.write();
      application.assertCounted(2);
      long begun = System.nanoTime();
      assertTrue(second.stop(PATIENCE)); // there is nobody to wait for
      assertTrue(System.nanoTime() - begun < patient.dividedBy(2).toNanos());
    } finally {
      first.close();
    }
  }

  @Test
  void oneProcessHasAllTasksWhoseExchangesGoThroughMemory() throws InterruptedException {
    WordCounts application = WordCounts.of(uniqueName("whole"), KEYS);
    SharedTopics.create(application.in(), PARTITIONS);
    Job first = startDirect(application, "a");
    try {
      LaunchTest.await(first, JobState.RUNNING);
      await("tasks of the first", () -> tasks(first) == 2 * PARTITIONS);
      try (Job second = startDirect(application, "b");
          Job other = start(application, "c")) { // has no part as long as one has all
        LaunchTest.await(second, JobState.RUNNING);
        application.write();
        application.assertCounted(1);
        assertEquals(0, tasks(second));
        assertTrue(first.stop(PATIENCE));
        application.write();
        application.assertCounted(2);
        assertEquals(2 * PARTITIONS, tasks(second));
        assertEquals(0, tasks(other));
        assertTrue(second.stop(PATIENCE));
        application.write();
        application.assertCounted(3);
        assertEquals(2 * PARTITIONS, tasks(other));
      }
    } finally {
      first.close();
    }
  }

  @Test
  void allEndWhenTheInputOfAllHasEndedAlsoIfOneHasAllTasks() throws InterruptedException {
    WordCounts application = new WordCounts(uniqueName("bounded"), KEYS, true, false);
    SharedTopics.create(application.in(), PARTITIONS);
    application.write();
    try (Job first = startDirect(application, "a");
        Job second = startDirect(application, "b")) {
      for (Job each : List.of(first, second)) {
        LaunchTest.await(each, JobState.COMPLETED);
      }
    }
    application.assertCounted(1);
  }

  /// Some of its tasks were written last by workers that it has not any more.
  @Test
  void whoIsKilledAndBackWithFewerWorkersGoesOn() throws InterruptedException {
    WordCounts application = WordCounts.of(uniqueName("fewer"), KEYS);
    SharedTopics.create(application.in(), PARTITIONS);
    for (int workers = 4; workers > 0; workers--) {
      PlacementConfig placement = PlacementConfig.defaults().withWorkers(workers);
      Job job = Millrace.start(application, config("a").withPlacement(placement));
      application.write();
      application.assertCounted(5 - workers);
      Thread.currentThread().interrupt(); // its threads end where they are
      job.close();
      assertTrue(Thread.interrupted());
    }
  }

  @Test
  void allEndWhenTheInputOfAllHasEnded() throws InterruptedException {
    WordCounts application = new WordCounts(uniqueName("bounded"), KEYS, true, false);
    SharedTopics.create(application.in(), PARTITIONS);
    application.write();
    try (Job first = start(application, "a");
        Job second = start(application, "b");
        Job third = start(application, "c")) {
      for (Job each : List.of(first, second, third)) {
        LaunchTest.await(each, JobState.COMPLETED);
      }
    }
    application.assertCounted(1);
  }
}
