package dev.millrace;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.config.JobConfig;
import dev.millrace.config.PlacementConfig;
import dev.millrace.config.TopicsConfig;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.settings.StateConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What keeps a job from running is said before it is RUNNING, all of it at once, and a restart is
/// told not to help.
class StartChecksTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path directory;

  /// Reads two topics of which nothing says from where.
  private record Two(String name) implements StreamApplication {
    String first() {
      return name + "-first";
    }

    String second() {
      return name + "-second";
    }

    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source(first()).key(Serdes.string()).value(Serdes.string()))
          .merge(topology.from(Kafka.source(second()).key(Serdes.string()).value(Serdes.string())))
          .groupByKey()
          .count("counts")
          .to(Kafka.sink(name + "-counts").key(Serdes.string()).value(Serdes.longs()));
    }
  }

  private JobConfig config() {
    return JobConfig.of(bootstrapServers())
        .withPlacement(PlacementConfig.defaults().withWorkers(1))
        .withState(StateConfig.in(directory));
  }

  private record Ended(JobFailure failure, List<JobState> states) {}

  private static Ended run(StreamApplication application, JobConfig config)
      throws InterruptedException {
    List<JobState> states = new CopyOnWriteArrayList<>();
    Job job = new Job(application, config, null, surroundings -> surroundings);
    job.onChange((before, now) -> states.add(now));
    job.begin();
    try (job) {
      assertTrue(job.await(PATIENCE), () -> "It is " + job.state());
    }
    JobFailure failure = job.failure();
    assertNotNull(failure);
    return new Ended(failure, states);
  }

  private static void assertRefused(Ended ended, String... parts) {
    assertEquals(ExitCode.USAGE, ended.failure().exitCode(), ended.failure().message());
    for (String part : parts) {
      assertTrue(
          ended.failure().message().contains(part),
          () -> "No '" + part + "' in " + ended.failure().message());
    }
    assertFalse(ended.states().contains(JobState.RUNNING), ended.states().toString());
  }

  @Test
  void allMissingTopicsAndStartPositionsAreNamedAtOnce() throws InterruptedException {
    Two application = new Two(uniqueName("all"));
    assertRefused(
        run(application, config()),
        "Topic '" + application.first() + "'",
        "Topic '" + application.second() + "'",
        "reads '" + application.first() + "', '" + application.second() + "' for the first time",
        "--start");
    SharedTopics.create(application.first(), 1);
    SharedTopics.create(application.second(), 1);
    assertRefused(
        run(application, config().withTopics(TopicsConfig.defaults().withCreate(false))),
        "--topic " + application.name() + "-changelog",
        "reads '" + application.first() + "', '" + application.second() + "' for the first time");
    assertRefused(
        run(application, config()),
        "reads '" + application.first() + "', '" + application.second() + "' for the first time",
        "--start");
    assertEquals(Set.of(), topicsOf(application.name() + "-c"));
  }

  @Test
  void aTaskThatIsNewWhereTheTopicsAreThereNeedsAPositionToo() throws InterruptedException {
    Two application = new Two(uniqueName("new"));
    SharedTopics.create(application.first(), 1);
    SharedTopics.create(application.second(), 1);
    SharedTopics.create(
        application.name() + "-changelog",
        1,
        Map.of(
            "cleanup.policy",
            "compact",
            "message.timestamp.after.max.ms",
            Long.toString(Long.MAX_VALUE)));
    assertRefused(
        run(application, config()),
        "reads '" + application.first() + "', '" + application.second() + "' for the first time");
  }

  private static Set<String> topicsOf(String prefix) {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()))) {
      Set<String> names = admin.listTopics().names().get();
      names.removeIf(each -> !each.startsWith(prefix));
      return names;
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aPositionThatRetentionTookIsSaidBeforeTheJobRunsWithTheCommandThatHelps()
      throws InterruptedException, ExecutionException {
    Numbers application = new Numbers(uniqueName("lost"), false, 2, true);
    SharedTopics.create(application.in(), 2);
    try (Job job = Millrace.start(application, config())) {
      writeToBoth(application.in());
      SharedTopics.read(application.out(), 2);
      assertTrue(job.stop(PATIENCE));
    }
    writeToBoth(application.in());
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()))) {
      TopicPartition first = new TopicPartition(application.in(), 0);
      TopicPartition second = new TopicPartition(application.in(), 1);
      RecordsToDelete all = RecordsToDelete.beforeOffset(-1);
      admin.deleteRecords(Map.of(first, all, second, all)).all().get();
    }
    assertRefused(
        run(application, config()),
        "Position 1 of " + application.in() + "-",
        "millrace app reset %1$s --keep-state --to %2$s:"
            .formatted(application.name(), application.in()),
        "millrace app reset %s --to earliest".formatted(application.name()));
  }

  private static void writeToBoth(String topic) throws InterruptedException, ExecutionException {
    try (var producer =
        new KafkaProducer<>(
            Map.<String, Object>of("bootstrap.servers", bootstrapServers()),
            new StringSerializer(),
            new StringSerializer())) {
      producer.send(new ProducerRecord<>(topic, 0, null, "1")).get();
      producer.send(new ProducerRecord<>(topic, 1, null, "1")).get();
    }
  }

  @Test
  void aTopicThatWasMadeAnewIsSaidWithTheCommandThatHelps()
      throws InterruptedException, ExecutionException {
    Numbers application = Numbers.unbounded(uniqueName("anew"));
    SharedTopics.create(application.in(), 1);
    try (Job job = Millrace.start(application, config())) {
      SharedTopics.write(application.in(), "1");
      SharedTopics.read(application.out(), 1);
      assertTrue(job.stop(PATIENCE));
    }
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()))) {
      admin.deleteTopics(List.of(application.in())).all().get();
      Thread.sleep(1_000);
    }
    SharedTopics.create(application.in(), 1);
    assertRefused(
        run(application, config()),
        application.in() + "-0 is lost",
        "deleted and created again",
        "millrace app reset %1$s --keep-state --to %2$s:0:"
            .formatted(application.name(), application.in()),
        "millrace app reset %s --to earliest".formatted(application.name()));
  }

  @Test
  void aChangelogThatIsGoneIsSaidWithTheCommandThatHelps()
      throws InterruptedException, ExecutionException {
    Numbers application = Numbers.unbounded(uniqueName("gone"));
    SharedTopics.create(application.in(), 1);
    try (Job job = Millrace.start(application, config())) {
      SharedTopics.write(application.in(), "1");
      SharedTopics.read(application.out(), 1);
      assertTrue(job.stop(PATIENCE));
    }
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()))) {
      admin.deleteTopics(List.of(application.name() + "-changelog")).all().get();
      Thread.sleep(1_000);
    }
    assertRefused(
        run(application, config()),
        application.name() + "-changelog",
        "rm -r " + application.name() + " in state.directory");
  }
}
