package dev.millrace;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
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
import dev.millrace.api.serde.Serdes;
import dev.millrace.config.JobConfig;
import dev.millrace.config.MemoryConfig;
import dev.millrace.internal.cluster.decide.Decisions;
import dev.millrace.internal.cluster.decide.Part;
import dev.millrace.internal.cluster.decide.Requests;
import dev.millrace.internal.cluster.decide.SplitRequest;
import dev.millrace.internal.kafka.KafkaLog;
import dev.millrace.internal.kafka.client.KafkaLogSettings;
import dev.millrace.kafka.embedded.Patience;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.settings.ChangeConfig;
import dev.millrace.spi.settings.StateConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Tasks of an application are split by their keys while it works, and after that its processes
/// come and go as before.
class SplitOnKafkaTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int PARTITIONS = 2;
  private static final int KEYS = 40;

  /// Of the stage that counts; its tasks come after those that read the topic.
  private static final int COUNTS = PARTITIONS;

  @TempDir Path directory;

  private final Log log =
      KafkaLog.connect(KafkaLogSettings.of(bootstrapServers(), "millrace-split-test"));

  @AfterEach
  void close() {
    log.close();
  }

  /// Keeps what a processor puts into its store, whose keys say nothing of those of the input.
  record Numbered(String name) implements StreamApplication {
    private static final StoreSpec<String, Long> NUMBERS =
        StoreSpec.keyValue("numbers", Serdes.string(), Serdes.longs());

    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source(name + "-in").value(Serdes.string()).startAtEarliest())
          .groupBy("words", word -> word)
          .keyAs(Serdes.string())
          .stream()
          .process("numbered", Numbering::new, NUMBERS)
          .to(Kafka.sink(name + "-out").partitions(1).value(Serdes.string()));
    }

    private static final class Numbering implements Processor<String, String, String> {
      private @Nullable KeyValueStore<String, Long> numbers;

      @Override
      public void open(ProcessorContext<String> context) {
        numbers = context.store(NUMBERS);
      }

      @Override
      public void process(Records<String, String> records, Output<String> out) {
        while (records.next()) {
          Objects.requireNonNull(numbers).put("any", 1L);
          out.emit(records.value());
        }
      }
    }
  }

  private Job start(StreamApplication application, String home) {
    return Millrace.start(application, config(home));
  }

  private JobConfig config(String home) {
    return JobConfig.of(bootstrapServers())
        .withState(StateConfig.in(directory.resolve(home)))
        .withMemory(MemoryConfig.of(64L << 20));
  }

  /// Returns why an application is not started.
  private static String refusal(StreamApplication application, JobConfig config)
      throws InterruptedException {
    try (Job job = Millrace.start(application, config)) {
      LaunchTest.await(job, JobState.FAILED);
      return Objects.requireNonNull(job.failure()).message();
    }
  }

  private static void await(String what, BooleanSupplier condition) {
    Patience.await(what, PATIENCE, condition);
  }

  private static int tasks(Job job) {
    return job.metrics().tasks().size();
  }

  private Requests requests(String application) {
    return new Requests(application, log, Clock.system(), () -> LockSupport.parkNanos(10_000_000));
  }

  private SortedMap<Integer, Part> parts(String application) {
    try (Decisions decisions = new Decisions(application, log)) {
      while (!decisions.read()) {
        LockSupport.parkNanos(10_000_000);
      }
      return new TreeMap<>(decisions.parts());
    }
  }

  @Test
  void aTaskIsSplitWhileItWorks() throws InterruptedException {
    WordCounts application = WordCounts.of(uniqueName("split"), KEYS);
    SharedTopics.create(application.in(), PARTITIONS);
    int all = 2 * PARTITIONS;
    Job first = start(application, "a");
    try {
      application.write();
      application.assertCounted(1);
      requests(application.name()).split(COUNTS, true);
      application.write();
      await("the new task", () -> tasks(first) == all + 1);
      assertEquals(new Part(COUNTS, true), parts(application.name()).get(all));
      application.write();
      application.assertCounted(3);
      try (Job second = start(application, "b")) {
        await("a share of the second", () -> tasks(second) >= all / 2);
        requests(application.name()).split(COUNTS + 1, true);
        requests(application.name()).split(all, true); // one that was split off itself
        application.write();
        await("both new tasks", () -> tasks(first) + tasks(second) == all + 3);
        application.write();
        application.assertCounted(5);
        kill(first);
        application.write();
        await("all tasks with the second", () -> tasks(second) == all + 3);
        application.assertCounted(6);
        kill(second);
      }
      try (Job third = start(application, "c")) { // it knows nothing of what was before
        application.write();
        application.assertCounted(7);
        assertEquals(all + 3, tasks(third));
      }
      WordCounts more = new WordCounts(application.name(), KEYS, false, true);
      Matcher code =
          Pattern.compile("--change\\.accept=([0-9a-f]{8})\\b").matcher(refusal(more, config("d")));
      assertTrue(code.find());
      String why = refusal(more, config("d").withChange(new ChangeConfig(code.group(1))));
      assertTrue(why.contains("task 4 was split off from task 2"), why);
      try (Job fourth = start(application, "a")) { // nothing has changed
        application.write();
        application.assertCounted(8);
        assertEquals(all + 3, tasks(fourth));
      }
    } finally {
      first.close();
    }
  }

  /// Its threads end where they are, as if the process was killed.
  private static void kill(Job job) {
    Thread.currentThread().interrupt();
    job.close();
    assertTrue(Thread.interrupted());
  }

  @Test
  void whatCannotBeSplitSaysWhy() throws InterruptedException {
    Numbered application = new Numbered(uniqueName("unsplit"));
    SharedTopics.create(application.name() + "-in", PARTITIONS);
    try (Job job = start(application, "a");
        Decisions decisions = new Decisions(application.name(), log)) {
      LaunchTest.await(job, JobState.RUNNING);
      requests(application.name()).split(COUNTS, true);
      await(
          "the answer",
          () -> {
            decisions.read();
            SplitRequest request = decisions.splits().get(COUNTS);
            return request != null && !request.isOpen();
          });
      assertEquals(
          "What it keeps in 'numbers' does not say to which key of its input it belongs.",
          decisions.splits().get(COUNTS).refusal());
      assertEquals(Map.of(), decisions.parts());
    }
  }
}
