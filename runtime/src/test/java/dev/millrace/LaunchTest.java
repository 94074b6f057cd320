package dev.millrace;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.Windows;
import dev.millrace.api.serde.Serdes;
import dev.millrace.config.JobConfig;
import dev.millrace.config.PlacementConfig;
import dev.millrace.kafka.embedded.Patience;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.settings.StateConfig;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a person sees who runs an application, and what its process returns.
class LaunchTest {
  @TempDir Path directory;

  private record Run(int status, String out, String err) {}

  private Run run(StreamApplication application, String... flags) {
    List<String> all = new ArrayList<>(List.of(flags));
    all.add("--state.directory=" + directory);
    return launch(application, Map.of("MILLRACE_KAFKA_BOOTSTRAP_SERVERS", bootstrapServers()), all);
  }

  private static Run launch(
      StreamApplication application, Map<String, String> variables, List<String> flags) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status =
        new Launch(application, new PrintStream(out), new PrintStream(err)).run(flags, variables);
    return new Run(
        status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  private static void assertSays(Run run, int status, String... parts) {
    assertEquals(status, run.status(), run.toString());
    for (String part : parts) {
      assertTrue(run.err().contains(part), () -> "No '" + part + "' in " + run.err());
    }
    assertFalse(run.err().contains("\tat "), run.err());
  }

  private static List<String> sums(Numbers application, int count) {
    return SharedTopics.read(application.out(), count).stream().map(each -> each.value()).toList();
  }

  @Test
  void boundedInputEndsWithStatusZeroAndNothingIsLeftForTheNextRun() {
    Numbers application = Numbers.bounded(uniqueName("launch"));
    SharedTopics.create(application.in(), 1);
    SharedTopics.write(application.in(), "1", "2", "3");
    assertSays(run(application), ExitCode.DONE);
    assertEquals(List.of("1", "3", "6"), sums(application, 3));
    assertSays(run(application), ExitCode.DONE);
    assertEquals(3, sums(application, 3).size());
  }

  @Test
  void aBadRecordIsNamedWithBothWaysOutAndSkippingItGetsTheJobGoing() {
    Numbers application = Numbers.bounded(uniqueName("bad"));
    SharedTopics.create(application.in(), 1);
    SharedTopics.write(application.in(), "1", "two", "3");
    String place = application.in() + ":0:1";
    assertSays(
        run(application),
        ExitCode.BAD_INPUT,
        place,
        "map",
        "two",
        "--skip " + place,
        "errors.on-error: dead-letter");
    assertSays(run(application), ExitCode.BAD_INPUT, place);

    assertSays(run(application, "--skip", place), ExitCode.DONE);
    assertEquals(List.of("1", "4"), sums(application, 2));
  }

  @Test
  void badRecordsGoToTheDeadLetterTopicWithTheirPlaceAndCause() {
    Numbers application = Numbers.bounded(uniqueName("dead"));
    SharedTopics.create(application.in(), 1);
    SharedTopics.write(application.in(), "1", "two", "3", "four");
    assertSays(run(application, "--errors.on-error=dead-letter"), ExitCode.DONE);
    assertEquals(List.of("1", "4"), sums(application, 2));
    var letters = SharedTopics.read(application.name() + "-dead-letters", 2);
    assertEquals(List.of("two", "four"), letters.stream().map(each -> each.value()).toList());
    assertEquals(
        "3",
        new String(
            letters.get(1).headers().lastHeader("millrace.offset").value(),
            StandardCharsets.UTF_8));
  }

  @Test
  void aMissingTopicIsNamed() {
    Numbers application = new Numbers(uniqueName("missing"), true, 0, true);
    assertSays(run(application), ExitCode.USAGE, "'" + application.in() + "'", "does not exist");
  }

  @Test
  void topicsThatAreWrongAreNamedWithWhatWasFoundAndWanted() {
    Numbers application = Numbers.bounded(uniqueName("wrong"));
    SharedTopics.create(application.in(), 3);
    SharedTopics.create(application.name() + "-changelog", 1, Map.of("cleanup.policy", "delete"));
    assertSays(
        run(application),
        ExitCode.USAGE,
        "'" + application.in() + "' has 3 partitions, but the application declares 1",
        "-changelog' has cleanup.policy=delete, but must have compact");
  }

  @Test
  void topicsAreNotCreatedWhereThatIsForbiddenButTheCommandsAreSaid() {
    Numbers application = Numbers.bounded(uniqueName("forbidden"));
    assertSays(
        run(application, "--topics.create=false"),
        ExitCode.USAGE,
        "kafka-topics.sh --create --topic " + application.in() + " --partitions 1",
        "--topic " + application.name() + "-changelog",
        "--config cleanup.policy=compact");
  }

  @Test
  void aNewApplicationMustSayWhereItBegins() {
    Numbers application = new Numbers(uniqueName("start"), true, 1, false);
    SharedTopics.create(application.in(), 1);
    assertSays(run(application), ExitCode.USAGE, application.in(), "startAt", "--start");
    assertSays(run(application, "--start", "earliest"), ExitCode.DONE);
  }

  @Test
  void mistakesOfTheCommandLineAreSaidBeforeAnythingStarts() {
    Numbers application = Numbers.bounded("unused");
    assertSays(run(application, "--comit.interval=1s"), ExitCode.USAGE, "--commit.interval");
    assertSays(
        launch(application, Map.of(), List.of()),
        ExitCode.USAGE,
        "kafka.bootstrap.servers",
        "--bootstrap",
        "--embedded");
    List<String> both = List.of("--embedded", "--bootstrap=127.0.0.1:1");
    assertSays(launch(application, Map.of(), both), ExitCode.USAGE, "Two Kafka clusters");
  }

  @Test
  void helpVersionAndPlanNeedNoKafka() {
    Numbers application = Numbers.bounded("shown");
    Run help = launch(application, Map.of(), List.of("--help"));
    assertEquals(ExitCode.DONE, help.status());
    assertTrue(help.out().contains("commit.interval"), help.out());
    assertTrue(launch(application, Map.of(), List.of("--version")).out().startsWith("Millrace "));
    assertTrue(
        launch(application, Map.of(), List.of("--plan")).out().contains("shown.all-exchange"));
  }

  @Test
  void whatIsWrongWithWindowsIsAMistakeOfTheApplication() {
    StreamApplication application = new Gaps(uniqueName("gaps"));
    String gaps = "Windows of PT1M every PT2M would have gaps between them.";
    assertSays(run(application), ExitCode.USAGE, gaps);
    assertSays(launch(application, Map.of(), List.of("--plan")), ExitCode.USAGE, gaps);
  }

  private record Gaps(String name) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source("in").key(Serdes.string()).value(Serdes.string()))
          .groupByKey()
          .window(Windows.hopping(Duration.ofMinutes(1), Duration.ofMinutes(2)))
          .count("counts");
    }
  }

  @Test
  void processesOfOneHomeMayComeAndNoneOfThemBarsAnother() throws InterruptedException {
    Numbers application = Numbers.unbounded(uniqueName("grown"));
    SharedTopics.create(application.in(), 1);
    SharedTopics.write(application.in(), "1");
    JobConfig config = config("s").withPlacement(PlacementConfig.defaults().withWorkers(1));
    // One worker writes for both tasks, and for one of them later.
    try (Job _ = Millrace.start(application, config)) {
      assertEquals(List.of("1"), sums(application, 1));
    }
    try (Job first = Millrace.start(application, config)) {
      await(first, JobState.RUNNING);
      try (Job second = Millrace.start(application, config)) {
        await(second, JobState.RUNNING);
        SharedTopics.write(application.in(), "2", "3");
        assertEquals(List.of("1", "3", "6"), sums(application, 3));
        assertEquals(JobState.RUNNING, first.state(), () -> String.valueOf(first.failure()));
        assertEquals(JobState.RUNNING, second.state());
      }
    }
  }

  @Test
  void stateInMemoryIsRestoredByTheNextStart() throws InterruptedException {
    Numbers application = Numbers.unbounded(uniqueName("memory"));
    SharedTopics.create(application.in(), 1);
    StateConfig state =
        StateConfig.in(directory.resolve("memory"))
            .withFlushInterval(Duration.ofMillis(50))
            .withStorage(StateConfig.Storage.MEMORY);
    JobConfig config = JobConfig.of(bootstrapServers()).withState(state);
    SharedTopics.write(application.in(), "1", "2", "3");
    try (Job job = Millrace.start(application, config)) {
      assertEquals(List.of("1", "3", "6"), sums(application, 3));
      assertTrue(job.stop(Duration.ofSeconds(30)));
    }
    SharedTopics.write(application.in(), "4");
    try (Job job = Millrace.start(application, config)) {
      assertEquals("10", sums(application, 4).getLast());
      assertTrue(job.stop(Duration.ofSeconds(30)));
    }
  }

  private JobConfig config(String state) {
    return JobConfig.of(bootstrapServers()).withState(StateConfig.in(directory.resolve(state)));
  }

  static void await(Job job, JobState state) throws InterruptedException {
    Patience patience = Patience.of(Duration.ofSeconds(30));
    while (job.state() != state) {
      if (patience.isOver() || job.state().isFinal()) {
        throw new AssertionError("The job is " + job.state() + ": " + job.failure());
      }
      patience.pause();
    }
  }
}
