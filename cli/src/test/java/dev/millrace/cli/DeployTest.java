package dev.millrace.cli;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.ExitCode;
import dev.millrace.Job;
import dev.millrace.JobFailure;
import dev.millrace.Millrace;
import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.api.serde.Was;
import dev.millrace.config.JobConfig;
import dev.millrace.config.PlacementConfig;
import dev.millrace.kafka.embedded.Patience;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.settings.ChangeConfig;
import dev.millrace.spi.settings.StateConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A change of an application on Kafka that is looked at, finalized and rolled back by commands.
class DeployTest {
  @TempDir private Path directory;

  private record Before(int n) {}

  private record After(@Was("n") long visits) {}

  private static void before(Topology topology, String name) {
    topology
        .from(Kafka.source(name + "-in").value(Serdes.string()).startAtEarliest())
        .groupBy("by-user", user -> user)
        .aggregate("visits", () -> new Before(0), (total, user) -> new Before(total.n + 1))
        .toStream()
        .mapValues(total -> Long.toString(total.n))
        .to(Kafka.sink(name + "-out").key(Serdes.string()).value(Serdes.string()));
  }

  private static final AtomicLong STEP = new AtomicLong(1);

  private static void after(Topology topology, String name) {
    topology
        .from(Kafka.source(name + "-in").value(Serdes.string()).startAtEarliest())
        .groupBy("by-user", user -> user)
        .aggregate(
            "visits", () -> new After(0), (total, user) -> new After(total.visits + STEP.get()))
        .toStream()
        .mapValues(total -> Long.toString(total.visits))
        .to(Kafka.sink(name + "-out").key(Serdes.string()).value(Serdes.string()));
  }

  private record Named(String name, BiConsumer<Topology, String> program)
      implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      program.accept(topology, name);
    }
  }

  private JobConfig config(int home, String accepted) {
    return JobConfig.of(bootstrapServers())
        .withPlacement(PlacementConfig.defaults().withWorkers(1))
        .withState(StateConfig.in(directory.resolve("state-" + home)))
        .withChange(new ChangeConfig(accepted));
  }

  private Job start(String name, int home, String accepted, BiConsumer<Topology, String> program) {
    return Millrace.start(new Named(name, program), config(home, accepted));
  }

  private Job startAlone(String name, String accepted, BiConsumer<Topology, String> program) {
    return Millrace.start(new Named(name, program), config(0, accepted));
  }

  private static Command deploy(String what, String name) {
    return Command.run("deploy", what, name, "--bootstrap", bootstrapServers());
  }

  private static void assertSays(int exitCode, Command command, String... parts) {
    assertEquals(exitCode, command.status(), command.out());
    for (String part : parts) {
      assertTrue(command.out().contains(part), "No '" + part + "' in " + command.out());
    }
  }

  private static void write(String name, String user, List<String> expected) {
    SharedTopics.write(name + "-in", user);
    assertEquals(
        expected,
        SharedTopics.read(name + "-out", expected.size()).stream()
            .map(record -> record.value())
            .toList());
  }

  private String created(String prefix) {
    String name = uniqueName(prefix);
    SharedTopics.create(name + "-in", 1);
    SharedTopics.create(name + "-out", 1);
    return name;
  }

  private static void awaitRollout(Job job, double open) {
    Patience patience = Patience.of(Duration.ofSeconds(60));
    while (rollout(job) != open) {
      assertFalse(patience.isOver(), () -> rollout(job) + " and not " + open);
      patience.pause();
    }
  }

  private static double rollout(Job job) {
    return job.metrics().families().stream()
        .filter(each -> each.name().equals("millrace_rollout_open"))
        .mapToDouble(each -> each.points().getFirst().value())
        .sum();
  }

  @Test
  void aChangeIsFinalizedWhenNoProcessRunsTheVersionBefore() throws Exception {
    String name = created("finalized");
    assertSays(ExitCode.USAGE, deploy("status", name), "No plan of application");
    STEP.set(1);
    Job first = start(name, 0, "", DeployTest::before);
    Job second = start(name, 1, "", DeployTest::before);
    try {
      write(name, "a", List.of("1"));
      assertSays(ExitCode.DONE, deploy("status", name), "No change of", "current");
      assertSays(ExitCode.USAGE, deploy("finalize", name), "No change of");
      first.close();
      first = start(name, 0, "auto", DeployTest::after);
      write(name, "a", List.of("1", "2"));
      awaitRollout(first, 1);
      assertSays(
          ExitCode.DONE,
          deploy("status", name),
          "is being rolled out since",
          "~ store 'visits'",
          "new",
          "former");
      assertSays(ExitCode.USAGE, deploy("finalize", name), "run another version");
      second.close();
      second = start(name, 1, "", DeployTest::after);
      awaitRollout(second, 1);
      assertSays(ExitCode.DONE, deploy("finalize", name), "is finalized");
      awaitRollout(first, 0);
      awaitRollout(second, 0);
      // Does not fit what the version before kept.
      STEP.set(3_000_000_000L);
      write(name, "a", List.of("1", "2", "3000000002"));
      assertNull(first.failure());
      assertNull(second.failure());
      second.close();
      assertRefused(start(name, 1, "auto", DeployTest::before), "old values cannot be read");
    } finally {
      first.close();
      second.close();
    }
  }

  private static void assertRefused(Job job, String why) throws InterruptedException {
    try (job) {
      assertTrue(job.await(Duration.ofSeconds(60)), "It was not refused.");
      JobFailure failure = job.failure();
      assertNotNull(failure);
      assertEquals(ExitCode.USAGE, failure.exitCode(), failure.message());
      assertTrue(failure.message().contains(why), failure.message());
    }
  }

  @Test
  void aChangeIsRolledBackAndCanBeAcceptedAgain() throws Exception {
    String name = created("rolled-back");
    STEP.set(1);
    try (Job old = startAlone(name, "", DeployTest::before)) {
      write(name, "a", List.of("1"));
      assertNull(old.failure());
    }
    try (Job changed = startAlone(name, "auto", DeployTest::after)) {
      write(name, "a", List.of("1", "2"));
      assertSays(ExitCode.DONE, deploy("rollback", name), "is returned to plan");
      write(name, "a", List.of("1", "2", "3"));
      assertNull(changed.failure());
    }
    assertRefused(startAlone(name, "", DeployTest::after), "--change.accept=");
    try (Job old = startAlone(name, "", DeployTest::before)) {
      write(name, "a", List.of("1", "2", "3", "4"));
      assertSays(ExitCode.USAGE, deploy("rollback", name), "No change of");
      assertNull(old.failure());
    }
    try (Job changed = startAlone(name, "auto", DeployTest::after)) {
      write(name, "a", List.of("1", "2", "3", "4", "5"));
      awaitRollout(changed, 1);
    }
  }
}
