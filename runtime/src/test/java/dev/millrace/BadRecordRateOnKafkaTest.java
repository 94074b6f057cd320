package dev.millrace;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.config.JobConfig;
import dev.millrace.config.PlacementConfig;
import dev.millrace.internal.engine.metrics.TaskMetrics;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.settings.ErrorConfig;
import dev.millrace.spi.settings.OnError;
import dev.millrace.spi.settings.StateConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// How fast bad records pass on Kafka, each of them a dead letter. The bounds are a small part of
/// what is seen, so that a busy machine does not break them; what is printed is the figure.
@Tag("thorough")
class BadRecordRateOnKafkaTest {
  private static final int RECORDS = 2_000_000;
  private static final int PARTITIONS = 4;
  private static final int ROUNDS = 3;
  private static final long LEAST_A_SECOND = 2_000;
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  @TempDir Path directory;

  /// Where bad records fail.
  private enum At {
    MAPPED,
    AGGREGATED
  }

  private static String check(String value) {
    if (value.startsWith("bad")) {
      throw new IllegalStateException("It is bad.");
    }
    return value;
  }

  private record Lengths(String name, String in, At at) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology
          .from(
              Kafka.source(in)
                  .key(Serdes.string())
                  .value(Serdes.string())
                  .startAtEarliest()
                  .asBounded())
          .mapValues(value -> at == At.MAPPED ? check(value) : value)
          .as(Serdes.string())
          .groupByKey()
          .aggregate(
              "lengths",
              () -> 0L,
              (sum, value) -> sum + (at == At.AGGREGATED ? check(value) : value).length())
          .as(Serdes.longs())
          .to(Kafka.sink(name + "-out").partitions(1).key(Serdes.string()).value(Serdes.longs()));
    }
  }

  private static String written(int oneIn) {
    String topic = uniqueName("rate");
    SharedTopics.create(topic, PARTITIONS);
    Map<String, Object> settings =
        Map.of("bootstrap.servers", bootstrapServers(), "linger.ms", 20, "batch.size", 65_536);
    try (KafkaProducer<byte[], String> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new StringSerializer())) {
      for (int i = 0; i < RECORDS; i++) {
        boolean bad = oneIn > 0 && i % oneIn == oneIn / 2;
        byte[] key = ("k" + i % 1_000).getBytes(StandardCharsets.UTF_8);
        var _ =
            producer.send(
                new ProducerRecord<>(topic, key, (bad ? "bad" : "good") + " text of record " + i));
      }
    }
    return topic;
  }

  /// @return records a second
  private long run(String in, At at, int oneIn) throws InterruptedException {
    String name = uniqueName("rated");
    JobConfig config =
        JobConfig.of(bootstrapServers())
            .withErrors(ErrorConfig.defaults().withOnError(OnError.DEAD_LETTER))
            .withPlacement(PlacementConfig.defaults().withWorkers(2))
            .withState(
                StateConfig.in(directory.resolve(name)).withFlushInterval(Duration.ofSeconds(5)));
    try (Job job = Millrace.start(new Lengths(name, in, at), config)) {
      LaunchTest.await(job, JobState.RUNNING);
      long begun = System.nanoTime();
      long before = sum(job, TaskMetrics::processed);
      assertTrue(job.await(PATIENCE));
      long nanos = System.nanoTime() - begun;
      assertNull(job.failure());
      assertEquals(oneIn == 0 ? 0 : RECORDS / oneIn, sum(job, TaskMetrics::skipped));
      return (RECORDS - before) * 1_000_000_000L / nanos;
    }
  }

  private static long sum(Job job, ToLongFunction<TaskMetrics> metric) {
    return job.metrics().tasks().values().stream().mapToLong(metric).sum();
  }

  @Test
  void badRecordsPass() throws InterruptedException {
    String clean = written(0);
    String some = written(100);
    String all = written(1);
    for (At at : At.values()) {
      for (int round = 0; round < ROUNDS; round++) {
        long ofClean = run(clean, at, 0);
        long ofSome = run(some, at, 100);
        long ofAll = run(all, at, 1);
        System.out.printf(
            Locale.ROOT,
            "bad records on Kafka, %s: %d a second if none is bad, %d (%.2f of it) if 1 %% are, %d"
                + " if all are%n",
            at.name().toLowerCase(Locale.ROOT),
            ofClean,
            ofSome,
            (double) ofSome / ofClean,
            ofAll);
        assertTrue(ofSome > LEAST_A_SECOND, ofSome + " a second");
        assertTrue(ofAll > LEAST_A_SECOND, ofAll + " a second");
      }
    }
  }
}
