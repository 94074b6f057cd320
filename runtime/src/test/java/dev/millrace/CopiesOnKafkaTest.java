package dev.millrace;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.config.JobConfig;
import dev.millrace.config.MemoryConfig;
import dev.millrace.config.PlacementConfig;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.job.QueryException;
import dev.millrace.spi.settings.StateConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two processes follow each other's tasks, so each of them can be asked about all keys.
class CopiesOnKafkaTest {
  private static final int PARTITIONS = 4;
  private static final int WORDS = 200;
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Duration OLDEST = Duration.ofMillis(1);

  @TempDir Path directory;

  private record Counts(String name) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source(name + "-in").value(Serdes.string()).startAtEarliest())
          .groupBy("by-word", word -> word)
          .aggregate("counts", () -> 0L, (count, word) -> count + 1)
          .as(Serdes.longs())
          .toStream()
          .mapValues(count -> Long.toString(count))
          .to(Kafka.sink(name + "-out").key(Serdes.string()).value(Serdes.string()));
    }
  }

  private Job start(String name, String home) {
    return Millrace.start(
        new Counts(name),
        JobConfig.of(bootstrapServers())
            .withState(StateConfig.in(directory.resolve(home)))
            .withMemory(MemoryConfig.of(64L << 20))
            .withPlacement(PlacementConfig.defaults().withStandbys(1)));
  }

  private static void await(String what, BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, what + " does not happen");
      Thread.sleep(20);
    }
  }

  private static StoreReader<String, Long> counts(Job job) {
    return job.store("counts", Serdes.string(), Serdes.longs());
  }

  @Test
  void eachProcessAnswersForAllAndSaysHowOldThatIs() throws InterruptedException {
    String name = uniqueName("copies");
    SharedTopics.create(name + "-in", PARTITIONS);
    SharedTopics.create(name + "-out", 1);
    Random random = new Random(8);
    Map<String, Long> expected = new HashMap<>();
    int written = 0;
    Job first = start(name, "a");
    try (Job second = start(name, "b")) {
      for (Job each : new Job[] {first, second}) {
        await("copies of what the other has", () -> copies(each) == PARTITIONS);
      }
      for (int round = 0; round < 5; round++) {
        String[] words =
            IntStream.range(0, 300)
                .mapToObj(_ -> "word-" + random.nextInt(WORDS))
                .toArray(String[]::new);
        for (String word : words) {
          expected.merge(word, 1L, Long::sum);
        }
        written += words.length;
        SharedTopics.write(name + "-in", words);
        SharedTopics.read(name + "-out", written); // they are committed
        assertCounts(first, expected);
        assertCounts(second, expected);
      }
      assertOthersAreRefused(first, second, expected);
      kill(first);
      StoreReader<String, Long> left = counts(second).withCopies(PATIENCE).within(PATIENCE);
      for (Map.Entry<String, Long> each : expected.entrySet()) {
        assertEquals(each.getValue(), left.get(each.getKey()), each.getKey());
      }
    } finally {
      first.close();
    }
  }

  private static int copies(Job job) {
    try {
      return counts(job).withCopies(OLDEST).partitionsHere().size();
    } catch (QueryException _) {
      return 0; // it does not run yet
    }
  }

  /// What a copy says is not older than it says, and so is what was committed before the question.
  private static void assertCounts(Job job, Map<String, Long> expected)
      throws InterruptedException {
    StoreReader<String, Long> reader = counts(job).withCopies(OLDEST).within(PATIENCE);
    for (Map.Entry<String, Long> each : expected.entrySet()) {
      long asked = System.nanoTime();
      StoreReader.Answer<Long> answer = reader.ask(each.getKey());
      assertEquals(each.getValue(), answer.value(), each.getKey());
      assertTrue(
          answer.age().toNanos() <= OLDEST.toNanos() + System.nanoTime() - asked,
          () -> each.getKey() + " is " + answer.age() + " old");
    }
  }

  /// Without copies each key is answered by the one process that has it, wherever its task is.
  private static void assertOthersAreRefused(Job first, Job second, Map<String, Long> expected)
      throws InterruptedException {
    await(
        "one answer for each key",
        () ->
            expected.entrySet().stream()
                .allMatch(each -> answers(first, each) != answers(second, each)));
  }

  private static boolean answers(Job job, Map.Entry<String, Long> expected) {
    try {
      assertEquals(expected.getValue(), counts(job).get(expected.getKey()));
      return true;
    } catch (QueryException _) {
      return false;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// Its threads end where they are, without a goodbye.
  private static void kill(Job job) {
    Thread.currentThread().interrupt();
    job.close();
    assertTrue(Thread.interrupted());
  }
}
