package dev.millrace;

import static dev.millrace.api.With.table;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.KafkaKeyedSource;
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
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A transaction that another producer has open at the end of a table's topic holds no stream back.
class TableBehindOpenTransactionTest {
  @TempDir Path directory;

  private record Prices(String name) implements StreamApplication {
    private KafkaKeyedSource<String, String> source(String kind) {
      return Kafka.source(name + "-" + kind)
          .key(Serdes.string())
          .value(Serdes.string())
          .startAtEarliest();
    }

    private KafkaKeyedSink<String, String> sink(String kind) {
      return Kafka.sink(name + "-" + kind).key(Serdes.string()).value(Serdes.string());
    }

    @Override
    public void describe(Topology topology) {
      topology
          .from(source("orders"))
          .leftJoin(
              "pricing",
              table(topology.table("rates", source("rates"))),
              (order, rate) -> order + " at " + rate)
          .to(sink("priced"));
    }
  }

  @ParameterizedTest
  @EnumSource(DataPlane.class)
  void theStreamGoesOn(DataPlane plane) throws Exception {
    Prices application = new Prices(uniqueName("prices"));
    String rates = application.name + "-rates";
    SharedTopics.create(application.name + "-orders", 1);
    SharedTopics.create(rates, 1);
    SharedTopics.create(application.name + "-priced", 1);
    JobConfig config =
        JobConfig.of(bootstrapServers())
            .withKafka(KafkaConfig.of(bootstrapServers()).withDataPlane(plane))
            .withState(
                StateConfig.in(directory.resolve(plane.name()))
                    .withFlushInterval(Duration.ofSeconds(1)));
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers", bootstrapServers(), "transactional.id", application.name + "-x");
    try (KafkaProducer<String, String> foreign =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      foreign.initTransactions();
      send(foreign, rates, "10");
      foreign.commitTransaction();
      send(foreign, application.name + "-orders", "o1");
      foreign.commitTransaction();
      send(foreign, rates, "11");
      try (Job job = Millrace.start(application, config)) {
        LaunchTest.await(job, JobState.RUNNING);
        assertEquals(
            "o1 at 10", SharedTopics.read(application.name + "-priced", 1).getFirst().value());
        foreign.commitTransaction();
        assertTrue(job.stop(Duration.ofSeconds(30)));
      }
    }
  }

  /// Begins a transaction with a record that the broker has.
  private static void send(KafkaProducer<String, String> foreign, String topic, String value)
      throws Exception {
    foreign.beginTransaction();
    foreign.send(new ProducerRecord<>(topic, 0, "x", value)).get();
  }
}
