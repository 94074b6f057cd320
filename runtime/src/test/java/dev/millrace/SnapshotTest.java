package dev.millrace;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.config.JobConfig;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.spi.settings.SnapshotConfig;
import dev.millrace.spi.settings.StateConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A job whose host is lost goes on from its snapshots, on RocksDB and a folder.
class SnapshotTest {
  private static final int NUMBERS = 40;

  @TempDir private Path directory;

  private final Numbers application = Numbers.unbounded(uniqueName("snapshots"));

  private JobConfig config(String host, Path store) {
    return JobConfig.of(bootstrapServers())
        .withCommit(CommitConfig.defaults().withInterval(Duration.ofMillis(20)))
        .withState(StateConfig.in(directory.resolve(host)).withFlushInterval(Duration.ofMillis(30)))
        .withSnapshots(
            SnapshotConfig.defaults().withStore(store).withInterval(Duration.ofMillis(50)));
  }

  /// The task that sums; the other one has no stores.
  private static TaskMetrics sums(Job job) {
    for (Map.Entry<Plan.TaskId, TaskMetrics> task : job.metrics().tasks().entrySet()) {
      if (task.getKey().stage() == 1) {
        return task.getValue();
      }
    }
    throw new AssertionError("There is no such task.");
  }

  @Tag("thorough")
  @Test
  void onAnotherHostOnlyTheTailIsReplayed() throws IOException, InterruptedException {
    SharedTopics.create(application.in(), 1);
    Path store = Files.createDirectory(directory.resolve("snapshots"));
    try (Job job = Millrace.start(application, config("first", store))) {
      LaunchTest.await(job, JobState.RUNNING);
      for (int number = 1; number <= NUMBERS; number++) {
        SharedTopics.write(application.in(), Integer.toString(number));
        Thread.sleep(30); // so that they come into different commits
      }
      SharedTopics.read(application.out(), NUMBERS);
      long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
      while (sums(job).snapshots().lastOffset() < NUMBERS) {
        assertTrue(System.nanoTime() < end, "There is no snapshot.");
        Thread.sleep(10);
      }
      assertEquals(0, sums(job).snapshots().failed());
    }
    SharedTopics.write(application.in(), "1000");
    try (Job job = Millrace.start(application, config("second", store))) {
      LaunchTest.await(job, JobState.RUNNING);
      List<String> out =
          SharedTopics.read(application.out(), NUMBERS + 1).stream()
              .map(each -> each.value())
              .toList();
      assertEquals(Integer.toString(NUMBERS * (NUMBERS + 1) / 2 + 1000), out.getLast());
      assertTrue(sums(job).snapshots().restoredOffset() >= NUMBERS, "No snapshot was used.");
      assertTrue(sums(job).restored() < NUMBERS, sums(job).restored() + " records were replayed");
    }
  }

  @Test
  void aFolderThatIsAwayStopsNobody() throws InterruptedException {
    SharedTopics.create(application.in(), 1);
    SharedTopics.write(application.in(), "1", "2");
    try (Job job = Millrace.start(application, config("host", directory.resolve("away")))) {
      SharedTopics.read(application.out(), 2);
      long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
      for (int number = 3; sums(job).snapshots().failed() == 0; number++) {
        SharedTopics.write(application.in(), "1");
        SharedTopics.read(application.out(), number);
        assertTrue(System.nanoTime() < end, "Nobody has noticed.");
      }
      assertEquals(JobState.RUNNING, job.state());
    }
  }
}
