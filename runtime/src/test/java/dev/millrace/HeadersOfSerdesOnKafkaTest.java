package dev.millrace;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.RecordHeaders;
import dev.millrace.api.serde.Serde;
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
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A serde whose values are partly in headers, on records of Kafka.
class HeadersOfSerdesOnKafkaTest {
  @TempDir Path directory;

  /// An amount of something.
  record Amount(String unit, String number) {}

  /// In a topic the unit is a header; elsewhere it stands before the number.
  private static final class Amounts implements Serde<Amount> {
    @Override
    public String id() {
      return "amounts";
    }

    @Override
    public void write(Amount value, BytesWriter out) {
      out.write(Bytes.ofUtf8(value.unit + ":" + value.number));
    }

    @Override
    public Amount read(Bytes in) {
      String[] parts = in.toUtf8().split(":");
      return new Amount(parts[0], parts[1]);
    }

    @Override
    public boolean usesHeaders() {
      return true;
    }

    @Override
    public void write(Amount value, RecordHeaders headers, BytesWriter out) {
      headers.remove("unit");
      headers.add("unit", value.unit.getBytes(UTF_8));
      out.write(Bytes.ofUtf8(value.number));
    }

    @Override
    public Amount read(Bytes in, RecordHeaders headers) {
      return new Amount(
          new String(Objects.requireNonNull(headers.last("unit")), UTF_8), in.toUtf8());
    }
  }

  private record Converted(String name) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      var in = topology.from(Kafka.source(name + "-in").value(new Amounts()).startAtEarliest());
      in.groupBy("by-number", value -> value.number).stream()
          .mapValues(value -> new Amount(value.unit + "!", value.number))
          .as(new Amounts())
          .to(Kafka.sink(name + "-out").key(Serdes.string()).value(new Amounts()));
    }
  }

  @ParameterizedTest
  @EnumSource(DataPlane.class)
  void headersAreReadAndWritten(DataPlane plane) throws ExecutionException, InterruptedException {
    Converted application = new Converted(uniqueName("units"));
    List.of("-in", "-out").forEach(each -> SharedTopics.create(application.name + each, 1));
    write(application.name + "-in", "CHF", "EUR", "");
    JobConfig config =
        JobConfig.of(bootstrapServers())
            .withKafka(KafkaConfig.of(bootstrapServers()).withDataPlane(plane))
            .withState(
                StateConfig.in(directory.resolve(plane.name()))
                    .withFlushInterval(Duration.ofSeconds(1)));
    try (Job job = Millrace.start(application, config)) {
      assertEquals(
          List.of("0=0 trace:t unit:CHF!", "1=1 trace:t unit:EUR!", "2=2 trace:t unit:!"),
          SharedTopics.read(application.name + "-out", 3).stream()
              .map(HeadersOfSerdesOnKafkaTest::text)
              .toList());
      assertTrue(job.stop(Duration.ofSeconds(30)));
    }
  }

  private static String text(ConsumerRecord<String, String> record) {
    StringBuilder text = new StringBuilder(record.key() + "=" + record.value());
    record
        .headers()
        .forEach(header ->
            text.append(' ')
                .append(header.key())
                .append(':')
                .append(new String(header.value(), UTF_8)));
    return text.toString();
  }

  private static void write(String topic, String... units)
      throws ExecutionException, InterruptedException {
    Map<String, Object> settings =
        Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers());
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(settings, new StringSerializer(), new StringSerializer())) {
      List<Future<?>> sent = new ArrayList<>();
      for (int i = 0; i < units.length; i++) {
        ProducerRecord<String, String> record = new ProducerRecord<>(topic, "" + i);
        record.headers().add("trace", "t".getBytes(UTF_8)).add("unit", units[i].getBytes(UTF_8));
        sent.add(producer.send(record));
      }
      producer.flush();
      for (Future<?> each : sent) {
        each.get();
      }
    }
  }
}
