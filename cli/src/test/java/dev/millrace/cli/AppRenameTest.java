package dev.millrace.cli;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.ExitCode;
import dev.millrace.Job;
import dev.millrace.JobFailure;
import dev.millrace.JobState;
import dev.millrace.Millrace;
import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.config.HttpConfig;
import dev.millrace.config.JobConfig;
import dev.millrace.internal.engine.reset.Rename;
import dev.millrace.internal.kafka.KafkaLog;
import dev.millrace.internal.kafka.client.KafkaLogSettings;
import dev.millrace.kafka.embedded.Patience;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.Split;
import dev.millrace.spi.settings.ErrorConfig;
import dev.millrace.spi.settings.OnError;
import dev.millrace.spi.settings.SnapshotConfig;
import dev.millrace.spi.settings.StateConfig;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Renames applications, by the command, between runs of a program that counts. What it must have
/// written follows from how many words it was given: the counts from 1 up, each once.
class AppRenameTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String WORD = "word";

  @TempDir private Path directory;

  private final String first = uniqueName("named");
  private final String second = first + "-2";
  private final String third = first + "-3";
  private final List<Job> jobs = new ArrayList<>();
  private int written;

  /// Counts words, behind an exchange. A word that is empty is a dead letter.
  private record Counts(String name, String topics) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source(topics + "-in").partitions(1).value(Serdes.string()).startAtEarliest())
          .groupBy("by-word", Counts::required)
          .count("counts")
          .toStream()
          .mapValues(count -> Long.toString(count))
          .to(
              Kafka.sink(topics + "-out")
                  .partitions(1)
                  .key(Serdes.string())
                  .value(Serdes.string()));
    }

    private static String required(String word) {
      if (word.isEmpty()) {
        throw new IllegalArgumentException("The word is empty.");
      }
      return word;
    }
  }

  @AfterEach
  void end() throws InterruptedException {
    for (Job job : jobs) {
      job.stop(PATIENCE);
      job.close();
    }
  }

  private Path state() {
    return directory.resolve("state");
  }

  private Path snapshots() {
    return directory.resolve("snapshots");
  }

  private JobConfig config() {
    return JobConfig.of(bootstrapServers())
        .withState(StateConfig.in(state()).withFlushInterval(Duration.ofMillis(20)))
        .withSnapshots(
            SnapshotConfig.defaults().withStore(snapshots()).withInterval(Duration.ofMillis(20)));
  }

  private Job start(String application, JobConfig config) {
    Job job = Millrace.start(new Counts(application, first), config);
    jobs.add(job);
    return job;
  }

  private void write(int words) {
    for (int i = 0; i < words; i++) {
      SharedTopics.write(first + "-in", WORD);
    }
    written += words;
  }

  /// Runs the program until it has counted some more words.
  private void run(String application, JobConfig config) throws IOException, InterruptedException {
    Files.createDirectories(snapshots());
    if (written == 0) {
      SharedTopics.create(first + "-in", 1);
    }
    Job job = start(application, config);
    write(5);
    assertCounted(LongStream.rangeClosed(1, written));
    while (config.snapshots().store() != null && !hasSnapshot(job)) {
      write(1); // a snapshot is taken of something new
      assertCounted(LongStream.rangeClosed(1, written));
    }
    assertTrue(job.stop(PATIENCE));
    assertEquals(JobState.STOPPED, job.state());
  }

  private static boolean hasSnapshot(Job job) {
    return job.metrics().progress().stream().anyMatch(task -> task.snapshots() > 0);
  }

  private void run(String application) throws IOException, InterruptedException {
    run(application, config());
  }

  private void assertCounted(LongStream counts) {
    List<String> expected = counts.mapToObj(Long::toString).toList();
    assertEquals(
        expected,
        SharedTopics.read(first + "-out", expected.size()).stream()
            .map(record -> record.value())
            .toList());
  }

  private Command command(String... arguments) throws IOException {
    Path config = Files.writeString(directory.resolve("millrace.yaml"), "");
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--bootstrap=" + bootstrapServers());
    all.add("--config=" + config);
    return Command.run(all.toArray(String[]::new));
  }

  private Command rename(String from, String to) throws IOException {
    return command("app", "rename", from, to, "--state=" + state());
  }

  private void renamed(String from, String to) throws IOException {
    assertSays(
        rename(from, to), ExitCode.DONE, "Application '%s' is called '%s' now".formatted(from, to));
  }

  private static void assertSays(Command run, int status, String... parts) {
    assertEquals(status, run.status(), run.out());
    for (String part : parts) {
      assertTrue(run.out().contains(part), () -> "No '" + part + "' in " + run.out());
    }
  }

  /// Starts the program, which must be refused.
  private void assertRefused(String application, int exitCode, String... parts)
      throws InterruptedException {
    Job job = start(application, config());
    assertTrue(job.await(PATIENCE));
    JobFailure failure = job.failure();
    assertNotNull(failure);
    assertEquals(exitCode, failure.exitCode(), failure.message());
    for (String part : parts) {
      assertTrue(failure.message().contains(part), failure.message());
    }
  }

  private interface OnLog<T> {
    T of(Log log);
  }

  private static <T> T onLog(OnLog<T> action) {
    try (Log log = KafkaLog.connect(KafkaLogSettings.of(bootstrapServers(), "renamed"))) {
      return action.of(log);
    }
  }

  /// The topics of the cluster that begin with the name of one of the applications here.
  private SortedSet<String> topics() {
    SortedSet<String> topics = new TreeSet<>(onLog(Log::topicNames));
    topics.removeIf(topic -> !topic.startsWith(first));
    return topics;
  }

  private SortedSet<String> stored(String... more) {
    SortedSet<String> topics = new TreeSet<>(List.of(more));
    for (String end :
        List.of(
            "-in",
            "-out",
            ".by-word-exchange",
            "-changelog",
            "-claims",
            "-versions",
            "-members",
            "-placement")) {
      topics.add(first + end);
    }
    return topics;
  }

  private long changelogEnd() {
    Split changelog = new Split(first + "-changelog", 1); // of the task that counts
    return onLog(log -> Objects.requireNonNull(log.offsets(List.of(changelog)).get(changelog)))
        .end();
  }

  @Test
  void theStateIsKeptUnderEachNameAndNothingIsCopied() throws IOException, InterruptedException {
    run(first);
    long end = changelogEnd();
    renamed(first, second);
    assertEquals(end, changelogEnd(), "nothing is written to the changelog");
    run(second);
    assertEquals(stored(second + "-versions"), topics());
    assertEquals(List.of(first), children(state()));
    assertEquals(List.of(first), children(snapshots()));
    assertEquals(1, versionsOf(first), "a plan that is the same is not recorded again");
    assertRefused(first, ExitCode.USAGE, "'%s' now".formatted(second), "app rename " + second);

    renamed(second, third);
    run(third);
    assertRefused(first, ExitCode.USAGE, "'%s' now".formatted(third));
    assertRefused(second, ExitCode.USAGE, "'%s' now".formatted(third));

    // Without local state, from snapshots; then from nothing but the changelog.
    renamed(third, first);
    run(first, config().withState(StateConfig.in(directory.resolve("elsewhere"))));
    assertRefused(third, ExitCode.USAGE, "'%s' now".formatted(first));
    renamed(first, second);
    run(
        second,
        JobConfig.of(bootstrapServers()).withState(StateConfig.in(directory.resolve("another"))));
    assertEquals(stored(second + "-versions", third + "-versions"), topics());
  }

  private static List<String> children(Path parent) throws IOException {
    try (var children = Files.list(parent)) {
      return children.map(child -> String.valueOf(child.getFileName())).toList();
    }
  }

  /// Returns how many plans are recorded.
  private static int versionsOf(String name) throws InterruptedException {
    try (Cluster cluster = Cluster.connect(bootstrapServers(), Map.of())) {
      return cluster.recorded(cluster.called(name + "-2")).versions().size();
    }
  }

  /// A log that does not let the plans of an application be written.
  private static Log refusing(Log log, String application) {
    return (Log)
        Proxy.newProxyInstance(
            Log.class.getClassLoader(),
            new Class<?>[] {Log.class},
            (_, method, arguments) -> {
              if (method.getName().equals("writer")
                  && arguments[0].equals(application + "@versions")) {
                throw new LogException(LogException.Kind.UNAVAILABLE, "It is killed here.");
              }
              try {
                return method.invoke(log, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void aRenameThatDiedBetweenItsWritesHasNotTakenPlaceAndIsCompleted()
      throws IOException, InterruptedException {
    run(first);
    onLog(log -> {
      Rename rename = new Rename(refusing(log, first), Clock.system(), Cluster::pause);
      return assertThrows(LogException.class, () -> rename.rename(rename.find(first), second));
    });
    assertTrue(topics().contains(second + "-versions"), "the first of the two was written");
    assertRefused(
        second,
        ExitCode.USAGE,
        "There is no application '%s'".formatted(second),
        "millrace app rename %s %s".formatted(first, second));
    run(first);
    renamed(first, second);
    run(second);
    assertRefused(first, ExitCode.USAGE, "'%s' now".formatted(second));
    assertSays(rename(first, second), ExitCode.DONE, "is called '%s' already".formatted(second));
    assertEquals(stored(second + "-versions"), topics());
  }

  @Test
  void whatWouldMixApplicationsIsRefused() throws IOException, InterruptedException {
    String other = first + "-other";
    String unknown = first + "-unknown";
    assertSays(rename(unknown, second), ExitCode.USAGE, "No application '%s'".formatted(unknown));
    run(first);
    written = 0;
    try (Job job = Millrace.start(new Counts(other, other), config())) {
      jobs.add(job);
      Patience.await("RUNNING", PATIENCE, () -> job.state() == JobState.RUNNING);
      assertSays(rename(other, second), ExitCode.TAKEN, "is running", "Nothing was changed");
      // As from another host, which has none of the state.
      assertSays(
          command("app", "rename", other, second, "--state=" + directory.resolve("elsewhere")),
          ExitCode.TAKEN,
          " has been running on ",
          "Nothing was changed");
    }
    assertSays(rename(other, "Other"), ExitCode.USAGE, "cannot be called 'Other'", "lower-case");
    assertSays(
        rename(other, first), ExitCode.USAGE, "an application of that name has state", "changelog");
    assertSays(rename(other, other), ExitCode.DONE, "is called '%s' already".formatted(other));

    renamed(first, second);
    assertSays(
        rename(other, first),
        ExitCode.USAGE,
        "a former name of application '%s'".formatted(second));
    assertSays(
        rename(other, second),
        ExitCode.USAGE,
        "an application of that name has state (%s-versions)".formatted(first));
    assertSays(rename(first, third), ExitCode.USAGE, "is called '%s' now".formatted(second));
    assertSays(rename(unknown, third), ExitCode.USAGE, "No application '%s'".formatted(unknown));
    assertFalse(topics().contains(third + "-versions"), "what was refused has written nothing");
  }

  /// Both work over the same state, so each has a part of the tasks.
  @Test
  void aProcessOfTheFormerNameSharesTheTasks() throws IOException, InterruptedException {
    Files.createDirectories(snapshots());
    SharedTopics.create(first + "-in", 1);
    Job former = start(first, config());
    write(5);
    assertCounted(LongStream.rangeClosed(1, 5));
    // Without a look at the signs of life, as if they had been missed.
    onLog(log -> {
      Rename rename = new Rename(log, Clock.system(), Cluster::pause);
      rename.rename(rename.find(first), second);
      return "";
    });
    JobConfig elsewhere =
        JobConfig.of(bootstrapServers()).withState(StateConfig.in(directory.resolve("elsewhere")));
    start(second, elsewhere);
    write(5);
    assertCounted(LongStream.rangeClosed(1, 10));
    assertTrue(former.stop(PATIENCE));
    write(5);
    assertCounted(LongStream.rangeClosed(1, 15));
  }

  @Test
  void commandsTakeTheNewName() throws IOException, InterruptedException {
    JobConfig letters =
        config()
            .withErrors(ErrorConfig.defaults().withOnError(OnError.DEAD_LETTER))
            .withHttp(HttpConfig.defaults().withPort(0));
    run(first, letters);
    renamed(first, second);

    Job job = start(second, letters);
    SharedTopics.write(first + "-in", "");
    write(1);
    assertCounted(LongStream.rangeClosed(1, written));
    assertSays(command("top", second, "--once"), ExitCode.DONE, second, "counts");
    assertSays(
        command("top", first, "--once"), ExitCode.USAGE, "is called '%s' now".formatted(second));
    assertTrue(job.stop(PATIENCE));
    assertSays(command("dead-letters", "list", second), ExitCode.DONE, "The word is empty.");

    Command list = command("app", "list", "--state=" + state());
    assertEquals(
        List.of(second, second),
        list.out()
            .lines()
            .filter(line -> line.contains(first))
            .map(line -> line.strip().split(" ", 2)[0])
            .toList(),
        list.out());
    assertSays(list, ExitCode.DONE, first + "-changelog", second + "-versions");
  }

  @Test
  void aResetAfterARenameBeginsAnewUnderTheNewName() throws IOException, InterruptedException {
    run(first);
    renamed(first, second);
    assertSays(
        command("app", "reset", first, "--to=earliest", "--state=" + state()),
        ExitCode.USAGE,
        "is called '%s' now".formatted(second));
    Command reset =
        command(
            "app",
            "reset",
            second,
            "--to=earliest",
            "--yes",
            "--state=" + state(),
            "--snapshots=" + snapshots());
    assertSays(
        reset, ExitCode.DONE, "topic " + first + "-changelog", "blobs of snapshots", "Done.");
    assertFalse(topics().contains(first + "-changelog"));
    start(second, config());
    assertCounted(
        LongStream.concat(LongStream.rangeClosed(1, written), LongStream.rangeClosed(1, written)));
  }

  @Test
  void aDeletedApplicationLeavesNoneOfItsNames() throws IOException, InterruptedException {
    run(first);
    renamed(first, second);
    renamed(second, third);
    Command deleted =
        command(
            "app", "delete", third, "--yes", "--state=" + state(), "--snapshots=" + snapshots());
    assertSays(deleted, ExitCode.DONE, second + "-versions", third + "-versions", "Deleted.");
    Patience.await(
        "the deletion",
        PATIENCE,
        () -> topics().equals(new TreeSet<>(List.of(first + "-in", first + "-out"))));
    assertEquals(List.of(), children(state()));
    for (String name : List.of(second, first)) {
      assertSays(
          command("app", "delete", name), ExitCode.USAGE, "No application '%s'".formatted(name));
    }
    start(first, config());
    assertCounted(
        LongStream.concat(LongStream.rangeClosed(1, written), LongStream.rangeClosed(1, written)));
  }
}
