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
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Records without a value, read from a topic and written to others.
class DeletionsOnKafkaTest {
  @TempDir Path directory;

  private record Copied(String name) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      var in =
          topology.from(
              Kafka.source(name + "-in")
                  .key(Serdes.string())
                  .value(Serdes.string())
                  .startAtEarliest()
                  .withDeletions());
      in.mapValues(value -> value.filter(text -> !text.equals("secret")))
          .to(
              Kafka.sink(name + "-copy")
                  .key(Serdes.string())
                  .value(Serdes.string())
                  .withDeletions());
      in.mapValues(value -> value.orElse("gone"))
          .to(Kafka.sink(name + "-all").key(Serdes.string()).value(Serdes.string()));
    }
  }

  @ParameterizedTest
  @EnumSource(DataPlane.class)
  void theyAreEmptyValuesInBetween(DataPlane plane)
      throws ExecutionException, InterruptedException {
    Copied application = new Copied(uniqueName("deletions"));
    List.of("-in", "-copy", "-all")
        .forEach(each -> SharedTopics.create(application.name + each, 1));
    write(application.name + "-in", "1", null, "", "secret", null);
    JobConfig config =
        JobConfig.of(bootstrapServers())
            .withKafka(KafkaConfig.of(bootstrapServers()).withDataPlane(plane))
            .withState(
                StateConfig.in(directory.resolve(plane.name()))
                    .withFlushInterval(Duration.ofSeconds(1)));
    try (Job job = Millrace.start(application, config)) {
      assertEquals(
          List.of("k0=1", "k1=null", "k2=", "k3=null", "k4=null"),
          read(application.name + "-copy"));
      assertEquals(
          List.of("k0=1", "k1=gone", "k2=", "k3=secret", "k4=gone"),
          read(application.name + "-all"));
      assertTrue(job.stop(Duration.ofSeconds(30)));
    }
  }

  private static List<String> read(String topic) {
    return SharedTopics.read(topic, 5).stream()
        .map(record -> record.key() + "=" + record.value())
        .toList();
  }

  private static void write(String topic, @Nullable String... values)
      throws ExecutionException, InterruptedException {
    Map<String, Object> settings =
        Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers());
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      List<Future<?>> sent = new ArrayList<>();
      for (int i = 0; i < values.length; i++) {
        sent.add(producer.send(new ProducerRecord<>(topic, "k" + i, values[i])));
      }
      producer.flush();
      for (Future<?> each : sent) {
        each.get();
      }
    }
  }
}
