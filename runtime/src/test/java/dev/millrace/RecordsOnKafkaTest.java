package dev.millrace;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.function.Record;
import dev.millrace.api.serde.Serdes;
import dev.millrace.config.JobConfig;
import dev.millrace.config.KafkaConfig;
import dev.millrace.kafka.DataPlane;
import dev.millrace.kafka.embedded.Patience;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.settings.StateConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Key, headers and timestamp, as Kafka's own clients write and read them: seen by operators, and
/// set by sinks.
class RecordsOnKafkaTest {
  private static final int RECORDS = 12;
  private static final int PARTITIONS = 3;

  /// Not so old that the broker deletes it.
  private static final long TIME = System.currentTimeMillis() - 3_600_000;

  private static final String TRACE = "trace";

  @TempDir Path directory;

  private record Application(String name) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      var in =
          topology.from(
              Kafka.source(name + "-in")
                  .key(Serdes.string())
                  .value(Serdes.string())
                  .startAtEarliest());
      in.records()
          .filter(record -> !trace(record).endsWith("3"))
          .mapValues(
              record -> "%s@%d/%s".formatted(record.value(), record.timestamp(), trace(record)))
          .to(
              Kafka.sink(name + "-seen")
                  .key(Serdes.string())
                  .value(Serdes.string())
                  .headers((record, headers) -> {
                    headers.add("key", bytes(String.valueOf(record.key())));
                    headers.add("empty", null);
                  })
                  .timestamp(value -> Instant.ofEpochMilli(TIME + value.length())));
      in.repartition("again")
          .to(
              Kafka.sink(name + "-keyed")
                  .key(Serdes.string())
                  .value(Serdes.string())
                  .headers((record, headers) -> {
                    headers.remove(TRACE);
                    headers.add("was", record.header(TRACE));
                  })
                  .key(value -> "of-" + value));
    }

    private static String trace(Record<?, ?> record) {
      byte[] trace = record.header(TRACE);
      return trace == null ? "none" : new String(trace, StandardCharsets.UTF_8);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @EnumSource(DataPlane.class)
  void areSeenByOperatorsAndSetBySinks(DataPlane plane)
      throws ExecutionException, InterruptedException {
    Application application = new Application(uniqueName("records"));
    SharedTopics.create(application.name + "-in", 1);
    SharedTopics.create(application.name + "-seen", 1);
    SharedTopics.create(application.name + "-keyed", PARTITIONS);
    write(application.name + "-in");
    JobConfig config =
        JobConfig.of(bootstrapServers())
            .withKafka(KafkaConfig.of(bootstrapServers()).withDataPlane(plane))
            .withState(
                StateConfig.in(directory.resolve(plane.name()))
                    .withFlushInterval(Duration.ofSeconds(1)));
    try (Job job = Millrace.start(application, config)) {
      assertEquals(
          IntStream.range(0, RECORDS)
              .filter(i -> i != 3)
              .mapToObj(i -> {
                String value = "v%d@%d/t%d".formatted(i, TIME + i, i);
                return "k%d=%s@%d [trace=t%d, key=k%d, empty=null]"
                    .formatted(i % 2, value, TIME + value.length(), i, i % 2);
              })
              .toList(),
          read(application.name + "-seen", 1, RECORDS - 1));
      assertEquals(
          IntStream.range(0, RECORDS)
              .mapToObj(i -> "of-v%d=v%d@%d [was=t%d]".formatted(i, i, TIME + i, i))
              .sorted()
              .toList(),
          read(application.name + "-keyed", PARTITIONS, RECORDS).stream().sorted().toList());
      assertTrue(job.stop(Duration.ofSeconds(30)));
    }
  }

  private static void write(String topic) throws ExecutionException, InterruptedException {
    Map<String, Object> settings =
        Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers());
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      List<Future<?>> sent = new ArrayList<>();
      for (int i = 0; i < RECORDS; i++) {
        ProducerRecord<String, String> record =
            new ProducerRecord<>(topic, 0, TIME + i, "k" + i % 2, "v" + i);
        record.headers().add(TRACE, bytes("t" + i));
        sent.add(producer.send(record));
      }
      producer.flush();
      for (Future<?> each : sent) {
        each.get();
      }
    }
  }

  /// All records of a topic, each in the partition that Kafka's own producer chooses for its key.
  private static List<String> read(String topic, int partitions, int count) {
    List<String> found = new ArrayList<>();
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            bootstrapServers(),
            "isolation.level",
            "read_committed",
            "enable.auto.commit",
            false);
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      List<TopicPartition> all =
          IntStream.range(0, partitions).mapToObj(i -> new TopicPartition(topic, i)).toList();
      consumer.assign(all);
      consumer.seekToBeginning(all);
      Patience patience = Patience.of(Duration.ofSeconds(30));
      while (found.size() < count) {
        assertTrue(!patience.isOver(), () -> topic + " has only " + found);
        for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
          assertEquals(
              Utils.toPositive(Utils.murmur2(bytes(record.key()))) % partitions,
              record.partition(),
              record.toString());
          found.add(told(record));
        }
      }
    }
    return found;
  }

  private static String told(ConsumerRecord<String, String> record) {
    List<String> headers =
        Stream.of(record.headers().toArray())
            .map(header ->
                header.key()
                    + "="
                    + (header.value() == null
                        ? null
                        : new String(header.value(), StandardCharsets.UTF_8)))
            .toList();
    return "%s=%s@%d %s".formatted(record.key(), record.value(), record.timestamp(), headers);
  }
}
