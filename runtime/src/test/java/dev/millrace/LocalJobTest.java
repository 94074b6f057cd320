package dev.millrace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.serde.Serdes;
import dev.millrace.config.ClusterConfig;
import dev.millrace.config.ConfigLoader;
import dev.millrace.config.JobConfig;
import dev.millrace.config.LogConfig;
import dev.millrace.config.PlacementConfig;
import dev.millrace.internal.engine.settings.Surroundings;
import dev.millrace.json.Json;
import dev.millrace.spi.Log;
import dev.millrace.spi.LogException;
import dev.millrace.spi.TransactionalWriter;
import dev.millrace.spi.settings.CommitConfig;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Whole jobs without Kafka, on a log in the memory of this process.
class LocalJobTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int WORDS = 50;

  private final LocalLog log = new LocalLog();

  @TempDir private Path directory;

  @AfterEach
  void close() {
    log.close();
  }

  private static JobConfig config(int workers) {
    return JobConfig.defaults().withPlacement(PlacementConfig.defaults().withWorkers(workers));
  }

  /// Writes words at random, and returns how often each was written.
  private Map<String, Long> write(WordCounts application, SplittableRandom random, int count) {
    Map<String, Long> written = new TreeMap<>();
    List<String> words =
        IntStream.range(0, count).mapToObj(_ -> "word-" + random.nextInt(WORDS)).toList();
    words.forEach(word -> written.merge(word, 1L, Long::sum));
    log.topic(application.in(), Serdes.string(), Serdes.string())
        .sendAll(words, word -> word, _ -> Instant.now());
    return written;
  }

  /// Each word was counted from 1 on, once each.
  private void assertCounted(WordCounts application, Map<String, Long> written) {
    Map<String, List<Long>> counts = new TreeMap<>();
    LocalTopic<String, Long> out =
        log.topic(application.out(), Serdes.string(), Json.json(Long.class));
    for (LocalRecord<String, Long> record : out.records()) {
      counts.computeIfAbsent(record.key(), _ -> new ArrayList<>()).add(record.value());
    }
    Map<String, List<Long>> expected = new TreeMap<>();
    written.forEach(
        (word, most) -> expected.put(word, LongStream.rangeClosed(1, most).boxed().toList()));
    assertEquals(expected, counts);
  }

  private static void assertCompleted(Job job) throws InterruptedException {
    assertTrue(job.await(PATIENCE), () -> "The job is " + job.state());
    assertNull(job.failure(), () -> String.valueOf(job.failure()));
    assertEquals(JobState.COMPLETED, job.state());
  }

  @ParameterizedTest
  @EnumSource
  void aBoundedJobRunsToItsEnd(PlacementConfig.Exchanges exchanges) throws InterruptedException {
    WordCounts application = new WordCounts("words", WORDS, true, true);
    log.createTopic(application.in(), 4);
    Map<String, Long> written = write(application, new SplittableRandom(1), 20_000);
    JobConfig config =
        JobConfig.defaults()
            .withPlacement(PlacementConfig.defaults().withWorkers(3).withExchanges(exchanges));
    try (Job job = Millrace.local(application, log, config)) {
      assertCompleted(job);
      assertTrue(
          job.metrics().processed() >= 20_000,
          () -> "It says that it has read " + job.metrics().processed() + " records.");
    }
    assertCounted(application, written);
  }

  @Test
  void aJobOfFewRecordsIsOverSoon() throws InterruptedException {
    WordCounts application = new WordCounts("words", WORDS, true, false);
    log.createTopic(application.in(), 2);
    Map<String, Long> written = write(application, new SplittableRandom(1), 20);
    long begunNanos = System.nanoTime();
    try (Job job = Millrace.local(application, log)) {
      assertCompleted(job);
    }
    long millis = (System.nanoTime() - begunNanos) / 1_000_000;
    assertCounted(application, written);
    assertTrue(millis < 10_000, millis + " ms");
  }

  /// What a failed commit has sent is never seen, and what it had processed is processed again.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void commitsThatFailAreRepeatedExactlyOnce(long seed) throws InterruptedException {
    WordCounts application = new WordCounts("words", WORDS, true, true);
    log.createTopic(application.in(), 4);
    Map<String, Long> written = write(application, new SplittableRandom(seed), 100_000);
    AtomicInteger failed = new AtomicInteger();
    SplittableRandom random = new SplittableRandom(seed);
    JobConfig config =
        config(3)
            .withLog(LogConfig.defaults().withKind(LogConfig.Kind.MEMORY))
            .withCommit(CommitConfig.defaults().withInterval(Duration.ofMillis(20)));
    try (Job job =
        Millrace.start(application, config, log, inner -> failing(inner, random, failed))) {
      assertCompleted(job);
    }
    assertTrue(failed.get() > 3, failed + " commits failed");
    assertCounted(application, written);
  }

  /// Surroundings in which one of five commits of records is aborted, or its outcome is lost.
  private static Surroundings failing(
      Surroundings inner, SplittableRandom random, AtomicInteger failed) {
    Log around =
        proxy(
            Log.class,
            (method, arguments) -> {
              Object result = call(inner.log(), method, arguments);
              return result instanceof TransactionalWriter writer
                  ? failing(writer, random, failed)
                  : result;
            });
    return new Surroundings(
        around, inner.disks(), inner.clock(), inner.sources(), inner.calls(), inner.snapshots());
  }

  private static TransactionalWriter failing(
      TransactionalWriter writer, SplittableRandom random, AtomicInteger failed) {
    boolean[] sent = {false};
    boolean[] lost = {false};
    return proxy(
        TransactionalWriter.class,
        (method, arguments) -> {
          switch (method.getName()) {
            case "send" -> sent[0] = true;
            case "open" -> lost[0] = false;
            case "outcome" -> {
              if (lost[0]) {
                return TransactionalWriter.Outcome.UNKNOWN;
              }
            }
            case "commit" -> {
              int drawn;
              synchronized (random) {
                drawn = sent[0] ? random.nextInt(10) : 9;
              }
              sent[0] = false;
              if (drawn < 2) {
                failed.incrementAndGet();
              }
              if (drawn == 0) {
                writer.abort();
                return null;
              }
              if (drawn == 1) {
                writer.commit(); // takes place, and nobody learns of it
                lost[0] = true;
                return null;
              }
            }
            default -> {}
          }
          return call(writer, method, arguments);
        });
  }

  private interface Handler {
    Object handle(Method method, Object[] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Handler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> handler.handle(method, arguments)));
  }

  private static Object call(Object on, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(on, arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }

  /// As after a pause that was longer than a transaction may take: what is open is aborted, and the
  /// job begins again with what the changelogs hold. A changelog that forgets fails this.
  @ParameterizedTest
  @EnumSource
  void aJobThatIsBarredGoesOnFromItsLastCommit(PlacementConfig.Exchanges exchanges)
      throws InterruptedException {
    WordCounts application = WordCounts.of("words", WORDS);
    log.createTopic(application.in(), 4);
    SplittableRandom random = new SplittableRandom(7);
    Map<String, Long> written = new TreeMap<>();
    JobConfig config =
        JobConfig.defaults()
            .withPlacement(PlacementConfig.defaults().withWorkers(2).withExchanges(exchanges));
    try (Job job = Millrace.local(application, log, config)) {
      for (int round = 0; round < 6; round++) {
        write(application, random, 10_000)
            .forEach((word, count) -> written.merge(word, count, Long::sum));
        Thread.sleep(random.nextInt(30));
        List<String> ids = log.log().transactionalIds("words.");
        assertTrue(round == 0 || !ids.isEmpty());
        log.log().fence(ids);
        awaitResults(job, application, written);
      }
      assertNull(job.failure(), () -> String.valueOf(job.failure()));
    }
    assertCounted(application, written);
  }

  /// The state of a job that was stopped is in the changelog, from which it is restored.
  @Test
  void aJobThatIsStartedAgainGoesOnWhereItWas() throws InterruptedException {
    WordCounts application = WordCounts.of("words", WORDS);
    log.createTopic(application.in(), 4);
    SplittableRandom random = new SplittableRandom(5);
    Map<String, Long> written = new TreeMap<>();
    for (int start = 0; start < 4; start++) {
      write(application, random, 15_000)
          .forEach((word, count) -> written.merge(word, count, Long::sum));
      try (Job job = Millrace.local(application, log, config(start % 3 + 1))) {
        awaitResults(job, application, written);
        assertTrue(job.stop(PATIENCE));
        assertNull(job.failure());
      }
    }
    assertCounted(application, written);
  }

  private void awaitResults(Job job, WordCounts application, Map<String, Long> written)
      throws InterruptedException {
    long wanted = written.values().stream().mapToLong(each -> each).sum();
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < until && !job.state().isFinal() && results(application) < wanted) {
      Thread.sleep(20);
    }
    assertEquals(wanted, results(application), () -> job.state() + " " + job.failure());
  }

  private long results(WordCounts application) {
    return log.topics().contains(application.out())
        ? log.topic(application.out(), Serdes.string(), Json.json(Long.class)).records().size()
        : 0;
  }

  /// A log that keeps what was read of exchanges, or every change of a store, fails this.
  @Test
  void memoryDoesNotGrowWithWhatWasProcessed() throws InterruptedException {
    WordCounts application = WordCounts.of("words", WORDS);
    log.createTopic(application.in(), 4);
    SplittableRandom random = new SplittableRandom(9);
    long most = 0;
    long read = 0;
    try (Job job = Millrace.local(application, log, config(2))) {
      for (int round = 0; round < 40; round++) {
        Map<String, Long> written = write(application, random, 20_000);
        read += log.topic(application.in(), Serdes.string(), Serdes.string()).values().size();
        awaitResults(job, application, written);
        log.topic(application.in(), Serdes.string(), Serdes.string()).clear();
        log.topic(application.out(), Serdes.string(), Serdes.longs()).clear();
        most = Math.max(most, settled());
        assertNull(job.failure());
      }
    }
    assertEquals(800_000, read);
    // Each record is 60 bytes and more in the input, in the exchange, and in the changelog.
    assertTrue(most < 16 << 20, most + " bytes");
  }

  /// Returns what the log takes after a while in which nothing was written.
  private long settled() throws InterruptedException {
    Thread.sleep(250);
    return log.bytes();
  }

  @Test
  void aMissingTopicIsNamed() throws InterruptedException {
    try (Job job = Millrace.local(WordCounts.of("words", 1), log)) {
      assertTrue(job.await(PATIENCE));
      JobFailure failure = job.failure();
      assertNotNull(failure);
      assertEquals(ExitCode.USAGE, failure.exitCode());
      assertTrue(failure.message().contains("'words-in'"), failure.message());
      assertTrue(failure.message().contains("LocalLog.createTopic"), failure.message());
    }
    LogException missing =
        assertThrows(
            LogException.class, () -> log.topic("words-in", Serdes.string(), Serdes.string()));
    assertTrue(String.valueOf(missing.getMessage()).contains("'words-in'"));
  }

  @Test
  void aRecordThatIsTooLargeIsRefused() {
    log.createTopic("small", 1, Map.of("max.message.bytes", "100"));
    LocalTopic<String, String> small = log.topic("small", Serdes.string(), Serdes.string());
    IllegalArgumentException failure =
        assertThrows(IllegalArgumentException.class, () -> small.send("a", "x".repeat(1000)));
    assertTrue(String.valueOf(failure.getMessage()).contains("max.message.bytes"));
    small.send("a", "fits");
    assertEquals(List.of("fits"), small.values());
  }

  /// Whatever needs a second process is refused, all of it at once.
  @Test
  void noSecondProcessCanTakePart() throws InterruptedException {
    JobConfig config =
        JobConfig.defaults()
            .withPlacement(PlacementConfig.defaults().withStandbys(1))
            .withCluster(ClusterConfig.defaults().withMembership("zookeeper"));
    try (Job job = Millrace.local(WordCounts.of("words", 1), log, config)) {
      assertTrue(job.await(PATIENCE));
      JobFailure failure = job.failure();
      assertNotNull(failure);
      assertEquals(ExitCode.USAGE, failure.exitCode());
      for (String said : List.of("placement.standbys is 1", "cluster.membership is zookeeper")) {
        assertTrue(failure.message().contains(said), failure.message());
      }
      assertTrue(failure.message().contains("no second process"), failure.message());
    }
  }

  @Test
  void aTopicIsWrittenAndReadWithKeysTimesAndDeletions() {
    log.createTopic("table", 3);
    LocalTopic<String, Long> table = log.topic("table", Serdes.string(), Serdes.longs());
    Instant noon = Instant.parse("2026-01-01T12:00:00Z");
    table.send("a", 1L, noon);
    table.send("b", 2L, noon.plusSeconds(1));
    table.send("a", 3L, noon.plusSeconds(2));
    table.delete("b");
    table.send(null, 4L);
    assertEquals(Map.of("a", 3L), table.latest());
    List<LocalRecord<String, Long>> ofA =
        table.records().stream().filter(each -> "a".equals(each.key())).toList();
    assertEquals(
        List.of(noon, noon.plusSeconds(2)), ofA.stream().map(LocalRecord::timestamp).toList());
    assertEquals(1, ofA.stream().map(LocalRecord::partition).distinct().count());
    table.clear();
    assertEquals(List.of(), table.records());
  }

  /// As from the command line: a log begins and ends with the job, and nothing is left on disk.
  @Test
  void theSettingIsReadAndTheLogIsThatOfTheJob() throws IOException {
    JobConfig config =
        new ConfigLoader(directory, Map.of("MILLRACE_LOG", "memory")).load(List.of()).job();
    assertTrue(config.log().isInMemory());
    assertEquals(
        JobConfig.defaults(),
        new ConfigLoader(directory, Map.of("MILLRACE_LOG", "memory"))
            .load(List.of("--log=kafka"))
            .job());
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Launch launch =
        new Launch(
            WordCounts.of("words", 1),
            new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    Path state = directory.resolve("state");
    int status =
        launch.run(
            List.of("--log=memory", "--start=earliest", "--state.directory=" + state), Map.of());
    assertEquals(ExitCode.USAGE, status);
    assertTrue(err.toString(StandardCharsets.UTF_8).contains("words-in"), err::toString);
    assertTrue(Files.notExists(state));
  }
}
