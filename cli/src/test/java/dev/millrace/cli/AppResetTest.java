package dev.millrace.cli;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.millrace.ExitCode;
import dev.millrace.Job;
import dev.millrace.JobFailure;
import dev.millrace.Millrace;
import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.config.JobConfig;
import dev.millrace.internal.engine.reset.Reset;
import dev.millrace.internal.engine.versions.ApplicationName;
import dev.millrace.internal.kafka.KafkaLog;
import dev.millrace.internal.kafka.client.KafkaLogSettings;
import dev.millrace.kafka.embedded.Patience;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.Split;
import dev.millrace.spi.settings.StateConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.slf4j.LoggerFactory;

/// An application reads on from elsewhere, by the command. It counts one word, so each record that
/// is read gives the next number.
@ResourceLock("what is logged")
class AppResetTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int WRITTEN = 20;

  @TempDir private Path directory;

  private final String name = uniqueName("reset");
  private final Logger logger = (Logger) LoggerFactory.getLogger("dev.millrace");
  private final ListAppender<ILoggingEvent> heard = new ListAppender<>();

  @BeforeEach
  void listen() {
    heard.start();
    logger.setLevel(Level.INFO); // a simulation has it say nothing
    logger.addAppender(heard);
  }

  @AfterEach
  void listenNoMore() {
    logger.detachAppender(heard);
  }

  /// Counts words behind an exchange.
  private record Counts(String name, String exchange) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source(name + "-in").value(Serdes.string()).startAtEarliest())
          .groupBy(exchange, word -> word)
          .count("counts")
          .mapValues(count -> Long.toString(count))
          .as(Serdes.string())
          .to(Kafka.sink(name + "-out").partitions(1).key(Serdes.string()).value(Serdes.string()));
    }
  }

  private Path state() {
    return directory.resolve("state");
  }

  private Job start(String exchange) {
    return Millrace.start(
        new Counts(name, exchange),
        JobConfig.of(bootstrapServers())
            .withState(StateConfig.in(state()).withFlushInterval(Duration.ofMillis(20))));
  }

  /// Runs it until so many results are there in all.
  private void runUntil(int results) throws InterruptedException {
    try (Job job = start("words")) {
      SharedTopics.read(name + "-out", results);
      assertTrue(job.stop(PATIENCE));
    }
  }

  private void written() {
    SharedTopics.create(name + "-in", 1);
    SharedTopics.write(name + "-in", "word ".repeat(WRITTEN).split(" "));
  }

  private void assertCounted(LongStream... expected) {
    List<String> all = new ArrayList<>();
    for (LongStream part : expected) {
      part.mapToObj(Long::toString).forEach(all::add);
    }
    List<String> found =
        SharedTopics.read(name + "-out", all.size()).stream()
            .map(record -> record.value())
            .toList();
    assertEquals(all, found);
  }

  private String placement() {
    return Command.run("placement", name, "--bootstrap=" + bootstrapServers()).out();
  }

  private Command split(String task) {
    return Command.run("split", name, task, "--bootstrap=" + bootstrapServers());
  }

  @Test
  void afterAResetTheTasksAreThoseOfTheProgram() throws Exception {
    written();
    try (Job job = start("words")) {
      SharedTopics.read(name + "-out", WRITTEN);
      assertEquals(ExitCode.DONE, split("1").status());
      assertTrue(placement().contains("has 3 tasks"), placement());
      assertTrue(job.stop(PATIENCE));
    }
    assertEquals(ExitCode.DONE, reset("earliest", "--yes").status());
    try (Job job = start("words")) {
      assertCounted(LongStream.rangeClosed(1, WRITTEN), LongStream.rangeClosed(1, WRITTEN));
      assertTrue(placement().contains("has 2 tasks"), placement());
      assertEquals(ExitCode.DONE, split("1").status()); // with the same number as before
      SharedTopics.write(name + "-in", "word ".repeat(2).split(" "));
      assertCounted(LongStream.rangeClosed(1, WRITTEN), LongStream.rangeClosed(1, WRITTEN + 2));
      assertTrue(job.stop(PATIENCE));
    }
  }

  private Command reset(String to, String... arguments) throws IOException {
    Path config = Files.writeString(directory.resolve("millrace.yaml"), "");
    List<String> all = new ArrayList<>(List.of("app", "reset", name, "--to=" + to));
    all.add("--bootstrap=" + bootstrapServers());
    all.add("--config=" + config);
    all.add("--state=" + state());
    all.addAll(List.of(arguments));
    return Command.run(all.toArray(String[]::new));
  }

  private static void assertSays(Command run, int status, String... parts) {
    assertEquals(status, run.status(), run.out());
    for (String part : parts) {
      assertTrue(run.out().contains(part), () -> "No '" + part + "' in " + run.out());
    }
  }

  @Test
  void whatIsReadAgainCountsAgainWhereTheStateIsKept() throws IOException, InterruptedException {
    written();
    runUntil(WRITTEN);
    String five = name + "-in:0:5";
    assertSays(
        reset(five, "--keep-state"),
        ExitCode.DONE,
        "Would reset '" + name + "' and keep its state",
        "15 offsets are read again",
        "with --yes");
    runUntil(WRITTEN); // nothing was done
    assertSays(reset(five, "--keep-state", "--yes"), ExitCode.DONE, "Done.");
    runUntil(WRITTEN + 15);
    assertCounted(LongStream.rangeClosed(1, WRITTEN + 15));
    assertSays(
        reset(five, "--keep-state"),
        ExitCode.DONE,
        Integer.toString(WRITTEN),
        "15 offsets are read again");
  }

  @Test
  void withoutItsStateAnotherProgramMayBeginAnywhere() throws IOException, InterruptedException {
    written();
    runUntil(WRITTEN);
    Instant later = Instant.now();
    Thread.sleep(20);
    SharedTopics.write(name + "-in", "word", "word", "word");
    runUntil(WRITTEN + 3);
    assertSays(
        reset(later.toString()),
        ExitCode.DONE,
        "without its state",
        "3 offsets are read again",
        name + "-changelog",
        name + ".words-exchange",
        state().resolve(name).toString(),
        "with --yes");
    assertSays(reset(later.toString(), "--yes"), ExitCode.DONE, "Done.");
    assertFalse(Files.exists(state().resolve(name)));
    try (Job job = start("other-words")) {
      assertCounted(LongStream.rangeClosed(1, WRITTEN + 3), LongStream.rangeClosed(1, 3));
      assertTrue(job.stop(PATIENCE));
    }
  }

  @Test
  void offsetsThatOthersSetChangeNothingUntilTheyAreTakenOver()
      throws IOException, InterruptedException, ExecutionException {
    written();
    runUntil(WRITTEN);
    assertEquals(List.of(), warnings());
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()))) {
      admin
          .alterConsumerGroupOffsets(
              name, Map.of(new TopicPartition(name + "-in", 0), new OffsetAndMetadata(12)))
          .all()
          .get();
    }
    try (Job job = start("words")) {
      Patience.await("A warning", PATIENCE, () -> !warnings().isEmpty());
      SharedTopics.read(name + "-out", WRITTEN);
      assertTrue(job.stop(PATIENCE));
    }
    List<String> warnings = warnings();
    assertEquals(1, warnings.size(), warnings::toString);
    assertTrue(warnings.getFirst().contains(name + "-in-0 = 12"), warnings::toString);
    String command = "millrace app reset " + name + " --to group --keep-state";
    assertTrue(warnings.getFirst().contains(command), warnings::toString);
    assertSays(reset("group", "--keep-state", "--yes"), ExitCode.DONE, "8 offsets are read again");
    runUntil(WRITTEN + 8);
    assertCounted(LongStream.rangeClosed(1, WRITTEN + 8));
    assertEquals(1, warnings().size(), "They are the application's own now.");
  }

  private List<String> warnings() {
    return List.copyOf(heard.list).stream()
        .map(ILoggingEvent::getFormattedMessage)
        .filter(message -> message.contains("consumer group '" + name + "'"))
        .toList();
  }

  @Test
  void aResetThatDiedIsDoneAgainBeforeAnythingStarts() throws IOException, InterruptedException {
    written();
    runUntil(WRITTEN);
    Map<Split, Long> to = Map.of(new Split(name + "-in", 0), 15L);
    try (Log log = KafkaLog.connect(KafkaLogSettings.of(bootstrapServers(), "died"));
        Reset died = new Reset(ApplicationName.of(name), log, Clock.system(), Thread::onSpinWait)) {
      died.bar();
      died.begin(to);
    }
    try (Job job = start("words")) {
      assertTrue(job.await(PATIENCE));
      JobFailure failure = job.failure();
      assertTrue(failure != null && failure.exitCode() == ExitCode.USAGE);
      String message = failure.message();
      assertTrue(message.contains("millrace app reset " + name), message);
    }
    assertSays(
        reset("earliest", "--keep-state"), ExitCode.USAGE, "was begun", "without --keep-state");
    assertSays(reset(name + "-in:0:15", "--yes"), ExitCode.DONE, "Done.");
    runUntil(WRITTEN + 5);
    assertCounted(LongStream.rangeClosed(1, WRITTEN), LongStream.rangeClosed(1, 5));
  }

  @Test
  void whatCannotBeDoneIsSaidAndNothingChanges() throws IOException, InterruptedException {
    assertSays(reset("earliest"), ExitCode.USAGE, "No application '" + name + "' has run");
    written();
    try (Job job = start("words")) {
      SharedTopics.read(name + "-out", WRITTEN);
      assertSays(reset("earliest", "--yes"), ExitCode.TAKEN, "is running", "Nothing was changed");
      assertTrue(job.stop(PATIENCE));
    }
    assertSays(reset("noon"), ExitCode.USAGE, "earliest, latest, group, a time", "'noon'");
    assertSays(
        reset("other:0:1", "--keep-state"),
        ExitCode.USAGE,
        "does not read other-0",
        name + "-in-0");
    assertSays(
        reset(name + "-in:0:99", "--keep-state"), ExitCode.USAGE, "offsets 0 to 20", "not from 99");
    assertSays(
        reset("earliest", "--topics=other"), ExitCode.USAGE, "does not read the topic 'other'");
    runUntil(WRITTEN);
    assertCounted(LongStream.rangeClosed(1, WRITTEN));
  }
}
