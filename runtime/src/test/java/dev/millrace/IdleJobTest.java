package dev.millrace;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.config.JobConfig;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.spi.settings.StateConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A job that has nothing to do asks nothing of the broker but whether there are records.
class IdleJobTest {
  private static final int LOOKS = 20;

  @TempDir private Path directory;

  @Test
  void nothingIsCommittedAndNoCommitIsCounted() throws Exception {
    Numbers application = Numbers.unbounded(uniqueName("idle"));
    SharedTopics.create(application.in(), 1);
    SharedTopics.write(application.in(), "1", "2", "3");
    JobConfig config =
        JobConfig.of(bootstrapServers())
            .withCommit(CommitConfig.defaults().withInterval(Duration.ofMillis(20)))
            .withState(StateConfig.in(directory).withFlushInterval(Duration.ofMillis(100)));
    TopicPartition changelog = new TopicPartition(application.name() + "-changelog", 0);
    try (Job job = Millrace.start(application, config);
        Admin admin = Admin.create(Map.of("bootstrap.servers", (Object) bootstrapServers()))) {
      LaunchTest.await(job, JobState.RUNNING);
      SharedTopics.read(application.out(), 3);
      // The last commit and its marker.
      long end = end(admin, changelog);
      for (int quiet = 0; quiet < LOOKS; quiet++) {
        Thread.sleep(50);
        long now = end(admin, changelog);
        quiet = now == end ? quiet : 0;
        end = now;
      }
      long commits = commits(job);
      assertTrue(commits > 0);
      Thread.sleep(1_000);
      assertEquals(end, end(admin, changelog));
      assertEquals(commits, commits(job));
    }
  }

  private static long end(Admin admin, TopicPartition partition)
      throws ExecutionException, InterruptedException {
    return admin
        .listOffsets(Map.of(partition, OffsetSpec.latest()))
        .partitionResult(partition)
        .get()
        .offset();
  }

  private static long commits(Job job) {
    double all =
        PrometheusText.write(job.metrics().families(), Map.of())
            .lines()
            .filter(line -> line.startsWith("millrace_commits_total"))
            .mapToDouble(line -> Double.parseDouble(line.replaceFirst(".* ", "")))
            .sum();
    return (long) all;
  }
}
