package dev.millrace;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.config.JobConfig;
import dev.millrace.config.KafkaConfig;
import dev.millrace.kafka.DataPlane;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.spi.settings.Guarantee;
import dev.millrace.spi.settings.StateConfig;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Under at-least-once results are seen before their commit, which here does not come.
class EarlyOutputTest {
  private static final Duration NEVER = Duration.ofHours(1);

  @TempDir Path directory;

  /// Passes records on, from `NAME-in` to `NAME-out`.
  private record Passing(String name) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source(name + "-in").bytes().startAtEarliest())
          .to(Kafka.sink(name + "-out").bytes());
    }
  }

  private void passOn(DataPlane plane) throws InterruptedException {
    Passing application = new Passing(uniqueName("early"));
    SharedTopics.create(application.name + "-in", 1);
    SharedTopics.create(application.name + "-out", 1);
    JobConfig config =
        JobConfig.of(bootstrapServers())
            .withKafka(KafkaConfig.of(bootstrapServers()).withDataPlane(plane))
            .withCommit(
                CommitConfig.defaults()
                    .withInterval(NEVER)
                    .withLatencyTarget(NEVER)
                    .withGuarantee(Guarantee.AT_LEAST_ONCE))
            .withState(
                StateConfig.in(directory.resolve(plane.name()))
                    .withFlushInterval(Duration.ofSeconds(1)));
    try (Job job = Millrace.start(application, config)) {
      LaunchTest.await(job, JobState.RUNNING);
      for (int i = 1; i <= 5; i++) {
        SharedTopics.write(application.name + "-in", Integer.toString(i));
        assertEquals(i, SharedTopics.read(application.name + "-out", i).size());
      }
      assertTrue(job.stop(Duration.ofSeconds(30)));
    }
  }

  @Test
  void resultsDoNotWaitForTheirCommit() throws InterruptedException {
    passOn(DataPlane.OFFICIAL);
  }

  @Test
  void theSameByRequestsOfOurOwn() throws InterruptedException {
    passOn(DataPlane.DIRECT);
  }
}
