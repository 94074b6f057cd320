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
import dev.millrace.config.KafkaConfig;
import dev.millrace.kafka.DataPlane;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.settings.StateConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The values of one batch of Kafka, as bytes, are each those of their record.
class BytesOnKafkaTest {
  private static final int RECORDS = 14;

  @TempDir Path directory;

  private record Apart(String name) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      var in = topology.from(Kafka.source(name + "-in").bytes().startAtEarliest());
      in.branch(value -> value.length() > 2).matching().to(Kafka.sink(name + "-long").bytes());
      in.records()
          .map(record -> record.value().toUtf8())
          .to(Kafka.sink(name + "-all").value(Serdes.string()));
    }
  }

  @ParameterizedTest
  @EnumSource(DataPlane.class)
  void theValuesOfABatchAreThoseOfTheirRecords(DataPlane plane)
      throws ExecutionException, InterruptedException {
    Apart application = new Apart(uniqueName("bytes"));
    List.of("-in", "-long", "-all")
        .forEach(each -> SharedTopics.create(application.name + each, 1));
    write(application.name + "-in");
    JobConfig config =
        JobConfig.of(bootstrapServers())
            .withKafka(KafkaConfig.of(bootstrapServers()).withDataPlane(plane))
            .withState(
                StateConfig.in(directory.resolve(plane.name()))
                    .withFlushInterval(Duration.ofSeconds(1)));
    try (Job job = Millrace.start(application, config)) {
      assertEquals(List.of("v10", "v11", "v12", "v13"), read(application.name + "-long", 4));
      assertEquals(
          IntStream.range(0, RECORDS).mapToObj(i -> "v" + i).toList(),
          read(application.name + "-all", RECORDS));
      assertTrue(job.stop(Duration.ofSeconds(30)));
    }
  }

  private static List<String> read(String topic, int count) {
    return SharedTopics.read(topic, count).stream().map(ConsumerRecord::value).toList();
  }

  /// As one batch.
  private static void write(String topic) throws ExecutionException, InterruptedException {
    Map<String, Object> settings =
        Map.of(
            ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
            bootstrapServers(),
            ProducerConfig.LINGER_MS_CONFIG,
            10_000);
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      producer.partitionsFor(topic);
      List<Future<?>> sent = new ArrayList<>();
      for (int i = 0; i < RECORDS; i++) {
        sent.add(producer.send(new ProducerRecord<>(topic, "v" + i)));
      }
      producer.flush();
      for (Future<?> each : sent) {
        each.get();
      }
    }
  }
}
