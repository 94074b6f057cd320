package dev.millrace;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.KeyValueStore;
import dev.millrace.api.Output;
import dev.millrace.api.Processor;
import dev.millrace.api.ProcessorContext;
import dev.millrace.api.Records;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.config.JobConfig;
import dev.millrace.config.KafkaConfig;
import dev.millrace.kafka.DataPlane;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.spi.settings.ErrorConfig;
import dev.millrace.spi.settings.OnError;
import dev.millrace.spi.settings.SizeLimits;
import dev.millrace.spi.settings.StateConfig;
import dev.millrace.spi.settings.StateConfig.Storage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Values of 8 MB from a topic through an exchange and a store to a topic.
class SizesOnKafkaTest {
  private static final int MB = 1 << 20;
  private static final int FRAME_BYTES = 140;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;

  private final String name = uniqueName("sizes");

  /// Keeps the last value of each key, behind an exchange, and sends each one on.
  private record Keeping(String name) implements StreamApplication {
    private static final StoreSpec<String, String> LAST =
        StoreSpec.keyValue("last", Serdes.string(), Serdes.string());

    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source(name + "-in").value(Serdes.string()).startAtEarliest())
          .groupBy("by-key", value -> value.substring(0, 1))
          .keyAs(Serdes.string())
          .stream()
          .process("keeper", Keeper::new, LAST)
          .to(Kafka.sink(name + "-out").key(Serdes.string()).value(Serdes.string()));
    }

    private static final class Keeper implements Processor<String, String, String> {
      private @Nullable KeyValueStore<String, String> last;

      @Override
      public void open(ProcessorContext<String> context) {
        last = context.store(LAST);
      }

      @Override
      public void process(Records<String, String> records, Output<String> out) {
        while (records.next()) {
          Objects.requireNonNull(last).put(Objects.requireNonNull(records.key()), records.value());
          out.emit(records.value());
        }
      }
    }
  }

  private static SizeLimits sizes(int value) {
    return SizeLimits.defaults()
        .withValueBytes(900 << 10)
        .withStores(Map.of("keeper", value))
        .withRecordBytes(MB)
        .withExchanges(Map.of("by-key", value + 1));
  }

  private JobConfig config(SizeLimits sizes, DataPlane plane, Storage storage) {
    return JobConfig.defaults()
        .withKafka(
            KafkaConfig.of(bootstrapServers())
                .withDataPlane(plane)
                .withProperties(
                    Map.of("compression.type", plane == DataPlane.DIRECT ? "lz4" : "none")))
        .withCommit(CommitConfig.defaults().withInterval(Duration.ofMillis(50)))
        .withErrors(ErrorConfig.defaults().withOnError(OnError.SKIP))
        .withState(
            StateConfig.in(directory)
                .withFlushInterval(Duration.ofMillis(50))
                .withStorage(storage)
                .withSizes(sizes));
  }

  private static void create(String topic, int bytes) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()))) {
      admin
          .createTopics(
              List.of(
                  new NewTopic(topic, 1, (short) 1)
                      .configs(Map.of("max.message.bytes", Integer.toString(bytes)))))
          .all()
          .get();
    }
  }

  private void write(List<String> values) throws Exception {
    Map<String, Object> config = new HashMap<>();
    config.put("bootstrap.servers", bootstrapServers());
    config.put("max.request.size", 80 * MB);
    config.put("buffer.memory", 128L * MB);
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
      for (String value : values) {
        producer.send(new ProducerRecord<>(name + "-in", value)).get();
      }
    }
  }

  /// A value that begins with its key and hardly can be compressed.
  private static String value(char key, int bytes) {
    Random random = new Random(key);
    byte[] text = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      text[i] = (byte) random.nextInt(128);
    }
    text[0] = (byte) key;
    return new String(text, StandardCharsets.US_ASCII);
  }

  /// The lengths of the values of a key in the output.
  private Map<String, List<Integer>> read(int records) {
    Properties config = new Properties();
    config.put("bootstrap.servers", bootstrapServers());
    config.put("isolation.level", "read_committed");
    Map<String, List<Integer>> found = new TreeMap<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
      TopicPartition partition = new TopicPartition(name + "-out", 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      int count = 0;
      long begun = System.nanoTime();
      while (count < records && System.nanoTime() - begun < PATIENCE.toNanos()) {
        for (ConsumerRecord<String, String> each : consumer.poll(Duration.ofMillis(100))) {
          found.computeIfAbsent(each.key(), _ -> new ArrayList<>()).add(each.value().length());
          count++;
        }
      }
    }
    return found;
  }

  @ParameterizedTest
  @CsvSource({"DIRECT, DISK", "OFFICIAL, MEMORY", "DIRECT, MEMORY"})
  void valuesOfEightMegabytesAreReadExchangedKeptRestoredAndWritten(
      DataPlane plane, Storage storage) throws Exception {
    int most = 8 * MB;
    create(name + "-in", 10 * MB);
    create(name + "-out", most + 1 + FRAME_BYTES);
    String a = value('a', most);
    String b = value('b', most);
    write(List.of(a, "b", value('a', most + 1), value('c', most - 1), b));
    try (Job job = Millrace.start(new Keeping(name), config(sizes(most), plane, storage))) {
      assertEquals(
          Map.of("a", List.of(most), "b", List.of(1, most), "c", List.of(most - 1)),
          read(4),
          () -> job.state() + " " + job.failure());
    }
    removeState();
    write(List.of("d", "c"));
    try (Job job = Millrace.start(new Keeping(name), config(sizes(most), plane, storage))) {
      assertEquals(
          Map.of(
              "a", List.of(most),
              "b", List.of(1, most),
              "c", List.of(most - 1, 1),
              "d", List.of(1)),
          read(6));
      StoreReader<String, String> last = job.store("last", Serdes.string(), Serdes.string());
      assertEquals(a, last.get("a"));
      assertEquals(b, last.get("b"));
      assertEquals("c", last.get("c"));
    }
  }

  private void removeState() throws Exception {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        if (!file.equals(directory)) {
          Files.delete(file);
        }
      }
    }
  }

  @Test
  void aTopicThatDoesNotTakeWhatTheConfigurationAllowsIsRefusedBeforeAnythingElse()
      throws Exception {
    SharedTopics.create(name + "-in", 1);
    SharedTopics.create(name + "-out", 1);
    SizeLimits usual = SizeLimits.defaults();
    try (Job job =
        Millrace.start(new Keeping(name), config(usual, DataPlane.DIRECT, Storage.DISK))) {
      write(List.of("a"));
      read(1);
      assertEquals(JobState.RUNNING, job.state());
    }
    try (Job job =
        Millrace.start(new Keeping(name), config(sizes(8 * MB), DataPlane.DIRECT, Storage.DISK))) {
      assertTrue(job.await(PATIENCE), "The job runs.");
      String told = String.valueOf(job.failure());
      for (String topic : List.of(name + "-changelog", name + ".by-key-exchange")) {
        assertTrue(
            told.contains("kafka-configs.sh --alter --topic " + topic + " --add-config"), told);
      }
      assertTrue(told.contains("max.message.bytes="), told);
    }
    try (Job job =
        Millrace.start(
            new Keeping(name),
            config(
                usual.withValueBytes(usual.valueBytes()).withStores(Map.of("keeeper", 1)),
                DataPlane.DIRECT,
                Storage.DISK))) {
      assertTrue(job.await(PATIENCE), "The job runs.");
      String told = String.valueOf(job.failure());
      assertTrue(told.contains("'keeeper', which is not one of the stores"), told);
      assertTrue(told.contains("keeper, last"), told);
    }
  }
}
