package dev.millrace;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.Windows;
import dev.millrace.api.serde.Serdes;
import dev.millrace.config.JobConfig;
import dev.millrace.config.PlacementConfig;
import dev.millrace.kafka.embedded.Patience;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.job.LateRecords;
import dev.millrace.spi.job.QueryException;
import dev.millrace.spi.settings.StateConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What came late to a stage that is spread over two processes.
class LateLedgerTest {
  private static final List<String> KEYS = List.of("a", "b", "c", "d", "e", "f");

  @TempDir Path directory;

  /// Counts by key in windows of ten seconds; a value is its time in seconds.
  private record Counts(String name) implements StreamApplication {
    String in() {
      return name + "-in";
    }

    String out() {
      return name + "-out";
    }

    @Override
    public void describe(Topology topology) {
      topology
          .from(
              Kafka.source(in())
                  .key(Serdes.string())
                  .value(Serdes.string())
                  .eventTime(value -> Instant.ofEpochSecond(Long.parseLong(value)))
                  .startAtEarliest())
          .groupByKey()
          .window(Windows.tumbling(Duration.ofSeconds(10)).allowedLateness(Duration.ofMinutes(1)))
          .count("counts")
          .results(result -> result.value())
          .to(Kafka.sink(out()).partitions(1).key(Serdes.string()).value(Serdes.longs()));
    }
  }

  /// Gives every key records of some times, in their order.
  private static void write(Counts application, String... times) {
    Map<String, Object> settings = Map.of("bootstrap.servers", bootstrapServers());
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      for (String time : times) {
        for (String key : KEYS) {
          producer.send(new ProducerRecord<>(application.in(), key, time)).get();
        }
      }
    } catch (ExecutionException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private Job start(Counts application, int container) {
    return Millrace.start(
        application,
        JobConfig.of(bootstrapServers())
            .withPlacement(PlacementConfig.defaults().withWorkers(1))
            .withState(
                StateConfig.in(directory.resolve("s" + container))
                    .withFlushInterval(Duration.ofMillis(100))));
  }

  @Test
  void eachProcessTellsOfItsOwnTasksAndWhichTheyAre() throws InterruptedException {
    Counts application = new Counts(uniqueName("late"));
    SharedTopics.create(application.in(), 2);
    try (Job first = start(application, 0);
        Job second = start(application, 1)) {
      LaunchTest.await(first, JobState.RUNNING);
      LaunchTest.await(second, JobState.RUNNING);
      Patience.await(
          "an even share",
          Duration.ofSeconds(30),
          () -> first.metrics().tasks().size() == 1 && second.metrics().tasks().size() == 1);
      // What is processed together has one watermark, so each waits for the results of the one
      // before.
      write(application, "1", "30");
      SharedTopics.read(application.out(), KEYS.size());
      write(application, "2", "200"); // corrects, and closes two windows, one of them for good
      SharedTopics.read(application.out(), 3 * KEYS.size());
      write(application, "3", "4"); // too late
      long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
      while (tooLate(first) + tooLate(second) < 2 * KEYS.size()) {
        if (System.nanoTime() > end) {
          throw new AssertionError(first.late("counts") + " and " + second.late("counts"));
        }
        Thread.sleep(20);
      }
      assertWhole(first.late("counts"), second.late("counts"));
      assertThrows(QueryException.class, () -> first.late("nothing"));
    }
  }

  private static long tooLate(Job job) throws InterruptedException {
    return job.late("counts").windows().values().stream().mapToLong(LateRecords::tooLate).sum();
  }

  private static void assertWhole(LateLedger first, LateLedger second) {
    SortedMap<Instant, LateRecords> all = new TreeMap<>(first.windows());
    second.windows().forEach((start, late) -> all.merge(start, late, LateRecords::plus));
    assertEquals(Set.of(Instant.EPOCH), all.keySet());
    LateRecords late = all.get(Instant.EPOCH);
    assertEquals(KEYS.size(), late.corrected());
    assertEquals(2 * KEYS.size(), late.tooLate());
    TreeSet<Integer> partitions = new TreeSet<>(first.partitions());
    partitions.addAll(second.partitions());
    assertEquals(Set.of(0, 1), partitions);
    for (LateLedger each : List.of(first, second)) {
      assertEquals(1, each.partitions().size());
      assertEquals(2, each.of());
      assertFalse(each.isComplete());
    }
  }
}
