package dev.millrace;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.Windows;
import dev.millrace.api.connector.Timestamps;
import dev.millrace.api.serde.Serdes;
import dev.millrace.config.JobConfig;
import dev.millrace.config.PlacementConfig;
import dev.millrace.config.PlacementConfig.Exchanges;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.spi.settings.StateConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Event times that no topic of Kafka takes as a timestamp, from its records to them. Values are
/// their own times.
class EventTimesOnKafkaTest {
  private static final long SIZE_MILLIS = 10_000;
  private static final Duration DISORDER = Duration.ofDays(12_000);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;

  private final String name = uniqueName("times");

  private record Counting(String name, Timestamps timestamps) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology
          .from(
              Kafka.source(name + "-in")
                  .value(Serdes.string())
                  .startAtEarliest()
                  .eventTime(value -> Instant.ofEpochMilli(Long.parseLong(value)), DISORDER))
          .groupBy("by-name", _ -> "all")
          .keyAs(Serdes.string())
          .window(Windows.tumbling(Duration.ofMillis(SIZE_MILLIS)))
          .count("counted")
          .results(result -> result.window().start().toEpochMilli() + "=" + result.value())
          .repartition("again")
          .to(
              Kafka.sink(name + "-out")
                  .partitions(1)
                  .key(Serdes.string())
                  .value(Serdes.string())
                  .timestamps(timestamps));
    }
  }

  private JobConfig config(Exchanges exchanges) {
    return JobConfig.of(bootstrapServers())
        .withCommit(CommitConfig.defaults().withInterval(Duration.ofMillis(20)))
        .withPlacement(PlacementConfig.defaults().withWorkers(2).withExchanges(exchanges))
        .withState(StateConfig.in(directory).withFlushInterval(Duration.ofMillis(50)));
  }

  private void write(Iterable<Long> times) throws InterruptedException, ExecutionException {
    List<Future<?>> sent = new ArrayList<>();
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrapServers()),
            new StringSerializer(),
            new StringSerializer())) {
      for (long time : times) {
        sent.add(producer.send(new ProducerRecord<>(name + "-in", 0, null, "" + time)));
      }
      for (Future<?> each : sent) {
        each.get();
      }
    }
  }

  @Test
  void windowsBehindExchangesHoldWhatHappenedBefore1970() throws Exception {
    Random random = new Random(10);
    SharedTopics.create(name + "-in", 1);
    List<Long> times = new ArrayList<>(List.of(-1L, 0L, -SIZE_MILLIS, -SIZE_MILLIS - 1));
    for (int i = 0; i < 300; i++) {
      times.add((random.nextBoolean() ? 0 : -900_000_000_000L) + random.nextInt(-60_000, 60_000));
    }
    Map<Long, Integer> windows = new TreeMap<>();
    for (long time : times) {
      windows.merge(Math.floorDiv(time, SIZE_MILLIS) * SIZE_MILLIS, 1, Integer::sum);
    }
    Counting application = new Counting(name, Timestamps.CLAMPED);
    write(times.subList(0, 100));
    try (Job job = Millrace.start(application, config(Exchanges.TOPICS))) {
      awaitProcessed(job, 100);
    }
    write(times.subList(100, times.size()));
    try (Job job = Millrace.start(application, config(Exchanges.DIRECT))) {
      awaitProcessed(job, times.size() - 100);
      write(List.of(100_000 + DISORDER.toMillis()));
      List<String> found =
          SharedTopics.read(name + "-out", windows.size()).stream()
              .map(each -> each.value())
              .toList();
      List<String> expected =
          windows.entrySet().stream()
              .map(window -> window.getKey() + "=" + window.getValue())
              .toList();
      assertEquals(expected, found);
    }
  }

  private static void awaitProcessed(Job job, long records) throws InterruptedException {
    long begun = System.nanoTime();
    while (job.metrics().tasks().entrySet().stream()
            .filter(task -> task.getKey().stage() == 0)
            .mapToLong(task -> task.getValue().processed())
            .sum()
        < records) {
      assertTrue(System.nanoTime() - begun < PATIENCE.toNanos(), "Not processed: " + records);
      Thread.sleep(10);
    }
  }

  @Test
  void aTimeThatTheTopicOfASinkDoesNotTakeIsTheFaultOfItsRecord() throws Exception {
    SharedTopics.create(name + "-in", 1);
    write(List.of(-SIZE_MILLIS, 2 * SIZE_MILLIS + DISORDER.toMillis()));
    try (Job job =
        Millrace.start(new Counting(name, Timestamps.EVENT_TIME), config(Exchanges.TOPICS))) {
      assertTrue(job.await(PATIENCE), "The job goes on.");
      String told = String.valueOf(job.failure());
      assertTrue(told.contains("before 1970: topic '" + name + "-out'"), told);
      assertTrue(told.contains("again-exchange:"), told);
      assertTrue(told.contains(".timestamps(Timestamps.CLAMPED)"), told);
    }
  }
}
