package dev.millrace.benchmarks.beam;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.kafka.embedded.EmbeddedKafka;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.PipelineResult.State;
import org.apache.beam.sdk.io.kafka.KafkaIO;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.transforms.DoFn;
import org.apache.beam.sdk.transforms.ParDo;
import org.apache.beam.sdk.values.KV;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.common.serialization.LongSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A pipeline that reads Kafka, and moves here from another runner, begins at the offsets that its
/// group had committed there, and goes on where it was when it is started again.
class MovedPipelineTest {
  private static final String TOPIC = "numbers";
  private static final String GROUP = "numbers-pipeline";
  private static final int PARTITIONS = 3;
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Queue<Long> READ = new ConcurrentLinkedQueue<>();

  @TempDir Path directory;

  private static final class Note extends DoFn<KV<Long, Long>, Void> {
    @ProcessElement
    public void process(@Element KV<Long, Long> number) {
      READ.add(number.getValue());
    }
  }

  @Test
  void itGoesOnAtTheOffsetsOfItsGroup() throws Exception {
    try (EmbeddedKafka kafka = EmbeddedKafka.builder(directory.resolve("kafka")).start();
        Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin.createTopics(List.of(new NewTopic(TOPIC, PARTITIONS, (short) 1))).all().get();
      send(kafka, 0, 300);
      admin.alterConsumerGroupOffsets(GROUP, offsets(40)).all().get();
      READ.clear();

      readUntil(kafka, numbers(120, 300));

      send(kafka, 300, 360);
      readUntil(kafka, numbers(120, 360));
      assertEquals(240, READ.size(), "each once");
    }
  }

  /// Runs the pipeline until it has read some numbers, and ends it.
  private void readUntil(EmbeddedKafka kafka, Set<Long> wanted)
      throws IOException, InterruptedException {
    Pipeline pipeline =
        Pipeline.create(
            PipelineOptionsFactory.fromArgs(
                    "--runner=MillraceRunner",
                    "--jobName=moved",
                    "--settings=kafka.bootstrap.servers=" + kafka.bootstrapServers(),
                    "--settings=state.directory=" + directory.resolve("state"),
                    "--settings=http.port=-1")
                .create());
    pipeline
        .apply(
            KafkaIO.<Long, Long>read()
                .withBootstrapServers(kafka.bootstrapServers())
                .withTopic(TOPIC)
                .withKeyDeserializer(LongDeserializer.class)
                .withValueDeserializer(LongDeserializer.class)
                .withConsumerConfigUpdates(Map.of("group.id", GROUP))
                .withoutMetadata())
        .apply(ParDo.of(new Note()));
    PipelineResult running = pipeline.run();
    long begun = System.nanoTime();
    while (READ.size() < wanted.size() && System.nanoTime() - begun < PATIENCE.toNanos()) {
      Thread.sleep(20);
    }
    assertEquals(State.CANCELLED, running.cancel());
    assertEquals(wanted, new TreeSet<>(READ));
  }

  private static void send(EmbeddedKafka kafka, long from, long to) {
    try (KafkaProducer<Long, Long> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new LongSerializer(),
            new LongSerializer())) {
      for (long number = from; number < to; number++) {
        var _ =
            producer.send(new ProducerRecord<>(TOPIC, (int) (number % PARTITIONS), number, number));
      }
    }
  }

  private static Set<Long> numbers(long from, long to) {
    Set<Long> numbers = new TreeSet<>();
    for (long number = from; number < to; number++) {
      numbers.add(number);
    }
    return numbers;
  }

  private static Map<TopicPartition, OffsetAndMetadata> offsets(long each) {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      offsets.put(new TopicPartition(TOPIC, partition), new OffsetAndMetadata(each));
    }
    return offsets;
  }
}
