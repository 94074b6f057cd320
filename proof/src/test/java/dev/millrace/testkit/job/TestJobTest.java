package dev.millrace.testkit.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.KeyValueStore;
import dev.millrace.api.Output;
import dev.millrace.api.Processor;
import dev.millrace.api.ProcessorContext;
import dev.millrace.api.Records;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.Windows;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.Serdes;
import dev.millrace.spi.job.LateRecords;
import dev.millrace.spi.job.QueryException;
import dev.millrace.testkit.job.Counters.Keeping;
import dev.millrace.testkit.job.Visits.Visit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.opentest4j.AssertionFailedError;

class TestJobTest {
  private static final int SEEDS = 60;

  /// Copies a table.
  private record Copies() implements StreamApplication {
    @Override
    public String name() {
      return "copies";
    }

    @Override
    public void describe(Topology topology) {
      topology
          .table(
              "copy",
              Kafka.source("table").partitions(2).key(Serdes.longs()).value(Serdes.string()))
          .to(Kafka.sink("copies").key(Serdes.longs()).value(Serdes.string()));
    }
  }

  @Test
  void whatWasSentIsProcessedAndCommittedBeforeAnOutputIsLookedAt() {
    try (TestJob job = TestJob.of(new Words())) {
      TestInput<Object, Object> lines = job.input("lines");
      TestOutput<Object, Object> counts = job.output("word-counts");
      counts.isEmpty();
      lines.send("the mill").send("the race");
      counts.hasLatest("the", 2L).hasLatest("mill", 1L).hasNo("wheel");
      lines.send("the wheel");
      counts.hasLatest(Map.of("the", 3L, "mill", 1L, "race", 1L, "wheel", 1L));
      counts.hasValuesOf("the", 1L, 2L, 3L).hasValues(1L, 2L, 3L, 1L, 1L, 1L);
    }
  }

  @Test
  void theTypesAreThoseOfTheSourceOrSinkThatIsGiven() {
    var events = Kafka.source("events").key(Serdes.string()).value(Serdes.string());
    var counted = Kafka.sink("counted").key(Serdes.string()).value(Serdes.longs());
    try (TestJob job = TestJob.of(new Counters(Keeping.IN_A_STORE)).partitions(5)) {
      job.input(events).at(Instant.EPOCH).send("a", "x").send("a", "y").send("b", "z");
      Map<String, Long> latest = job.output(counted).latest();
      assertEquals(Map.of("a", 2L, "b", 1L), latest);
      for (TestRecord<String, Long> record : job.output(counted).records()) {
        assertEquals(Instant.EPOCH, record.timestamp());
        assertFalse(record.retraction());
      }
    }
  }

  /// The hashes are those of the tests of Kafka's own Murmur2.
  @Test
  void aKeyGoesWhereKafkasProducerPutsIt() {
    Map<String, Integer> hashes =
        Map.of(
            "21", -973_932_308,
            "foobar", -790_332_482,
            "a-little-bit-long-string", -985_981_536,
            "a-little-bit-longer-string", -1_486_304_829,
            "abc", 479_470_107);
    try (TestJob job = TestJob.of(new Counters(Keeping.IN_A_STORE)).partitions(7)) {
      hashes.keySet().forEach(key -> job.input("events").send(key, "x"));
      List<TestRecord<Object, Object>> records = job.output("counted").records();
      assertEquals(hashes.size(), records.size());
      for (TestRecord<Object, Object> record : records) {
        int hash = hashes.get(record.key());
        assertEquals((hash & 0x7fffffff) % 7, record.partition(), record.toString());
      }
    }
  }

  @Test
  void whatIsKeptCanBeLookedAtWhateverRunsTheTask() {
    for (int containers = 1; containers <= 3; containers++) {
      try (TestJob job = TestJob.of(new Words()).containers(containers)) {
        TestStore<String, Long> counts = job.store("counts", Serdes.string(), Serdes.longs());
        counts.hasNo("the");
        job.input("lines").send("the mill").send("the race");
        counts.has("the", 2L).has("mill", 1L).has("race", 1L).hasNo("wheel");
        job.input("lines").send("the wheel");
        job.crash();
        counts.has("the", 3L).has("wheel", 1L);
        String wrong = failure(() -> counts.has("the", 2L));
        assertTrue(wrong.contains("Store 'counts' has another value of key the."), wrong);
        assertTrue(wrong.contains("found:    3"), wrong);
        assertThrows(AssertionError.class, () -> counts.has("mall", 1L));
        assertThrows(AssertionError.class, () -> counts.hasNo("mill"));
        assertThrows(
            QueryException.class,
            () -> job.store("count", Serdes.string(), Serdes.longs()).get("the"));
        assertThrows(
            QueryException.class,
            () -> job.store("counts", Serdes.string(), Serdes.ints()).get("the"));
      }
    }
  }

  /// Keeps the values that have come, whatever their keys are.
  private record Seen() implements StreamApplication {
    static final StoreSpec<String, Integer> SEEN =
        StoreSpec.keyValue("seen", Serdes.string(), Serdes.ints());

    @Override
    public String name() {
      return "seen";
    }

    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source("values").key(Serdes.longs()).value(Serdes.string()))
          .process("keep", Keep::new, SEEN)
          .to(Kafka.sink("kept").key(Serdes.longs()).value(Serdes.string()));
    }

    private static final class Keep implements Processor<Long, String, String> {
      private @Nullable KeyValueStore<String, Integer> seen;

      @Override
      public void open(ProcessorContext<Long> context) {
        seen = context.store(SEEN);
      }

      @Override
      public void process(Records<Long, String> records, Output<String> out) {
        while (records.next()) {
          Objects.requireNonNull(seen).put(records.value(), 1);
        }
      }
    }
  }

  @Test
  void aStoreWithKeysOfItsOwnIsLookedForInEveryTask() {
    try (TestJob job = TestJob.of(new Seen()).containers(2)) {
      for (long key = 0; key < 20; key++) {
        job.input("values").send(key, "value " + key);
      }
      TestStore<String, Integer> seen = job.store("seen", Serdes.string(), Serdes.ints());
      for (int i = 0; i < 20; i++) {
        seen.has("value " + i, 1);
      }
      seen.hasNo("value 20");
    }
  }

  private static String failure(Executable wrong) {
    return assertThrows(AssertionFailedError.class, wrong).getMessage();
  }

  /// Counts by key in windows of ten seconds; a value is its time in seconds.
  private record Counts() implements StreamApplication {
    @Override
    public String name() {
      return "counts";
    }

    @Override
    public void describe(Topology topology) {
      topology
          .from(
              Kafka.source("times")
                  .key(Serdes.string())
                  .value(Serdes.longs())
                  .eventTime(Instant::ofEpochSecond))
          .groupByKey()
          .window(Windows.tumbling(Duration.ofSeconds(10)).allowedLateness(Duration.ofMinutes(1)))
          .count("counts")
          .results(result -> result.value())
          .to(Kafka.sink("counted").key(Serdes.string()).value(Serdes.longs()));
    }
  }

  @Test
  void whatCameLateIsToldByWindowWhateverRunsTheTask() {
    for (int containers = 1; containers <= 3; containers++) {
      try (TestJob job = TestJob.of(new Counts()).partitions(4).containers(containers)) {
        assertEquals(Map.of(), job.late("counts"));
        sendOneByOne(job, 1, 12, 30, 2, 3, 15);
        assertEquals(
            Map.of(
                Instant.EPOCH,
                new LateRecords(8, 0, 28_000),
                Instant.ofEpochSecond(10),
                new LateRecords(4, 0, 15_000)),
            job.late("counts"));
        job.crash();
        sendOneByOne(job, 200, 4);
        assertEquals(
            Map.of(
                Instant.EPOCH,
                new LateRecords(8, 4, 196_000),
                Instant.ofEpochSecond(10),
                new LateRecords(4, 0, 15_000)),
            job.late("counts"));
        assertThrows(QueryException.class, () -> job.late("others"));
      }
    }
  }

  private static void sendOneByOne(TestJob job, long... times) {
    for (long time : times) {
      job.input("times").sendToEveryPartition(i -> "key" + i, time);
      job.process(); // one batch has one watermark
    }
  }

  @Test
  void aJobThatHasEndedTellsNothingOfWhatWasLate() {
    try (TestJob job = TestJob.of(new Counts())) {
      job.input("times").send("a", 1L);
      job.input("times").end();
      assertThrows(IllegalStateException.class, () -> job.late("counts"));
    }
  }

  @Test
  void theSameSeedGivesTheSameRun() {
    assertEquals(crashedRun(7), crashedRun(7));
    assertNotEquals(crashedRun(7), crashedRun(8));
  }

  private static List<String> crashedRun(long seed) {
    try (TestJob job = TestJob.of(new Words()).seed(seed).containers(2)) {
      for (int i = 0; i < 30; i++) {
        job.input("lines").send("a" + i % 7 + " b" + i % 3);
      }
      job.crash();
      return job.output("word-counts").records().stream().map(TestRecord::toString).toList();
    }
  }

  @Test
  void restartsCrashesAndLostDisksAreNotSeen() {
    for (long seed = 1; seed <= SEEDS; seed++) {
      try (TestJob job = TestJob.of(new Words()).seed(seed).containers(1 + (int) seed % 2)) {
        job.input("lines").send("the mill").send("the race").send("the end");
        job.crash();
        job.input("lines").send("the mill");
        job.restart();
        job.input("lines").send("the wheel").send("of the mill");
        job.crashLosingDisks();
        job.output("word-counts")
            .hasValuesOf("the", 1L, 2L, 3L, 4L, 5L, 6L)
            .hasValuesOf("mill", 1L, 2L, 3L)
            .hasLatest("of", 1L);
      }
    }
  }

  /// They come in the middle of what is under way, or they would show nothing.
  @Test
  void aRestartAndACrashFindWhatIsKeptInAField() {
    int byCrash = 0;
    int byRestart = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      byCrash += countsWrongly(seed, TestJob::crash) ? 1 : 0;
      byRestart += countsWrongly(seed, TestJob::restart) ? 1 : 0;
    }
    int crashes = byCrash;
    int restarts = byRestart;
    assertTrue(crashes >= SEEDS / 10, () -> "seen in " + crashes + " crashes of " + SEEDS);
    assertTrue(restarts >= SEEDS / 10, () -> "seen in " + restarts + " restarts of " + SEEDS);
  }

  private static boolean countsWrongly(long seed, Consumer<TestJob> event) {
    try (TestJob job = TestJob.of(new Counters(Keeping.IN_A_FIELD)).seed(seed)) {
      for (int i = 0; i < 60; i++) {
        job.input("events").send("a", "x");
      }
      event.accept(job);
      return !job.output("counted").latest().equals(Map.of("a", 60L));
    }
  }

  @Test
  void aWindowClosesWhenItsInputHasEnded() {
    try (TestJob job = TestJob.of(new Visits(Duration.ZERO))) {
      var visits = job.input("visits");
      visits.send(Visit.of("home", 0, 1)).send(Visit.of("home", 0, 59));
      visits.send(Visit.of("home", 1, 0));
      visits.end();
      job.output("visits-per-minute").hasValuesOf("home", 2L, 1L);
      job.restart();
      job.output("visits-per-minute").hasValuesOf("home", 2L, 1L);
      assertThrows(IllegalStateException.class, () -> visits.send(Visit.of("home", 2, 0)));
    }
  }

  @Test
  void aWindowClosesWhenTimeHasMovedOnInEveryPartition() {
    try (TestJob job = TestJob.of(new Visits(Duration.ZERO))) {
      job.input("visits").send(Visit.of("home", 0, 1)).send(Visit.of("home", 5, 0));
      job.output("visits-per-minute").isEmpty();
      job.input("visits").sendToEveryPartition(Visit.of("other", 5, 0));
      job.output("visits-per-minute").hasValues(1L);
    }
  }

  @Test
  void aPartitionWithoutRecordsHoldsTimeBackUntilItIsIdle() {
    Bytes key = Bytes.ofUtf8("one partition");
    try (TestJob job = TestJob.of(new Visits(Duration.ZERO)).idleAfter(Duration.ofMinutes(1))) {
      job.advance(Duration.ofSeconds(30));
      job.input("visits").send(key, Visit.of("home", 0, 1)).send(key, Visit.of("home", 5, 0));
      job.output("visits-per-minute").isEmpty();
      // The others are idle then, this one is not.
      job.advance(Duration.ofSeconds(45));
      job.output("visits-per-minute").hasValuesOf("home", 1L);
    }
  }

  @Test
  void whatIsTakenBackIsNotCounted() {
    try (TestJob job = TestJob.of(new Visits(Duration.ofHours(1))).partitions(1)) {
      var visits = job.input("visits");
      visits.send(Visit.of("home", 0, 1)).send(Visit.of("home", 5, 0));
      job.output("visits-per-minute").hasValues(1L);
      visits.send(Visit.of("home", 0, 2));
      job.output("visits-per-minute").hasValues(2L).hasLatest("home", 2L);
      List<TestRecord<Object, Object>> records = job.output("visits-per-minute").records();
      assertEquals(3, records.size());
      assertTrue(records.get(1).retraction());
      assertEquals(1L, records.get(1).value());
    }
  }

  @Test
  void anEntryOfATableIsDeleted() {
    try (TestJob job = TestJob.of(new Copies())) {
      job.input("table").send(1L, "one").send(2L, "two");
      job.output("copies").hasLatest(Map.of(1L, "one", 2L, "two"));
      job.input("table").delete(1L).send(2L, "zwei");
      job.output("copies").hasNo(1L).hasLatest(2L, "zwei").hasValuesOf(1L, "one");
    }
  }

  @Test
  void aFailedAssertionSaysWhatAReaderNeeds() {
    try (TestJob job = TestJob.of(new Words()).seed(17)) {
      job.input("lines").send("the mill and the race");
      TestOutput<Object, Object> counts = job.output("word-counts");
      AssertionFailedError failed =
          assertThrows(AssertionFailedError.class, () -> counts.hasLatest("the", 3L));
      assertSays(failed, "'word-counts'", "key the", "expected: 3", "found:    2", ".seed(17)");
      assertSays(failed, "the = 1", "the = 2");
      assertFalse(failed.getMessage().contains("mill"), failed.getMessage());
      assertEquals(3L, failed.getExpected().getValue());
      assertEquals(2L, failed.getActual().getValue());
      assertSays(
          assertThrows(AssertionFailedError.class, () -> counts.hasValues(1L, 1L, 1L, 2L, 9L)),
          "[9] are missing",
          "[1] should not be there");
      assertSays(
          assertThrows(AssertionFailedError.class, () -> counts.hasLatest("wheel", 1L)),
          "found:    none",
          "its keys: [");
      assertSays(
          assertThrows(AssertionFailedError.class, () -> counts.hasValuesOf("the", 2L, 1L)),
          "expected: [2, 1]",
          "found:    [1, 2]");
      assertSays(assertThrows(AssertionFailedError.class, counts::isEmpty), "5 records");
      assertSays(assertThrows(AssertionFailedError.class, () -> counts.hasNo("mill")), "mill = 1");
      assertSays(
          assertThrows(AssertionFailedError.class, () -> counts.hasLatest(Map.of())),
          "expected: {}");
    }
  }

  @Test
  void aFailedAssertionTellsOfLateRecords() {
    try (TestJob job = TestJob.of(new Visits(Duration.ZERO)).partitions(1)) {
      job.input("visits").send(Visit.of("home", 0, 1)).send(Visit.of("home", 5, 0));
      job.output("visits-per-minute").hasValues(1L);
      job.input("visits").send(Visit.of("home", 0, 2));
      assertSays(
          assertThrows(
              AssertionFailedError.class, () -> job.output("visits-per-minute").hasValues(2L)),
          "they were too late: 1");
    }
  }

  private static void assertSays(Throwable thrown, String... texts) {
    for (String text : texts) {
      assertTrue(
          thrown.getMessage().contains(text), () -> "No '" + text + "' in: " + thrown.getMessage());
    }
  }

  @Test
  void aRecordThatCannotBeProcessedIsNamed() {
    try (TestJob job = TestJob.of(new Counters(Keeping.IN_A_STORE)).partitions(1)) {
      job.input("events").send("a", "x").send("a", "poison");
      String message = job.failure();
      assertTrue(message.contains("events:0:1"), message);
      assertTrue(message.contains("cannot be counted"), message);
    }
    try (TestJob job = TestJob.of(new Counters(Keeping.IN_A_STORE)).partitions(1)) {
      job.input("events").send("a", "poison");
      AssertionError failed = assertThrows(AssertionError.class, job::process);
      assertSays(failed, "BAD_INPUT", "events:0:0");
    }
    try (TestJob job = TestJob.of(new Counters(Keeping.IN_A_STORE))) {
      job.input("events").send("a", "x");
      assertSays(assertThrows(AssertionError.class, job::failure), "should have failed");
    }
  }

  @Test
  void whatCannotBeMeantIsRefused() {
    List<String> said = new ArrayList<>();
    try (TestJob job = TestJob.of(new Counters(Keeping.IN_A_STORE))) {
      said.add(refused(IllegalArgumentException.class, () -> job.input("evens")));
      said.add(refused(IllegalArgumentException.class, () -> job.output("events")));
      said.add(refused(IllegalArgumentException.class, () -> job.input("events").send("value")));
      said.add(refused(IllegalArgumentException.class, () -> job.input("events").send(1L, "x")));
      said.add(refused(IllegalStateException.class, () -> job.partitions(2)));
      job.process();
      said.add(refused(IllegalStateException.class, () -> job.input("events").end()));
    }
    assertEquals(
        List.of(
            "'counters' does not read a topic 'evens'. It reads [events].",
            "'counters' does not write a topic 'events'. It writes [counted].",
            "The records of topic 'events' have keys: send(key, value).",
            "Topic 'events' has serde 'string', which cannot write a java.lang.Long.",
            "A job must be configured before its first input or output is used.",
            "The job reads topic 'events' already. Call end() before the job first works."),
        said);
    TestJob closed = TestJob.of(new Words());
    closed.close();
    assertThrows(IllegalStateException.class, closed::process);
  }

  private static String refused(Class<? extends RuntimeException> type, Executable call) {
    return assertThrows(type, call).getMessage();
  }
}
