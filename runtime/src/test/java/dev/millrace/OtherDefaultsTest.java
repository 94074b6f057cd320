package dev.millrace;

import static dev.millrace.api.Windows.tumbling;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.kafka.embedded.EmbeddedKafka;
import dev.millrace.kafka.embedded.NewTopics;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A cluster whose defaults are unlike Kafka's, each in the way that would do most harm: what the
/// topics of an application need, they say themselves.
class OtherDefaultsTest {
  private static final String FOREVER = Long.toString(Long.MAX_VALUE);
  private static final Map<String, String> OLD_TIMES =
      Map.of(
          "message.timestamp.type", "CreateTime",
          "message.timestamp.before.max.ms", FOREVER,
          "retention.ms", "-1",
          "cleanup.policy", "delete");

  @TempDir Path directory;

  /// Counts by key in minutes long ago; `bad` cannot be processed.
  private record Counting(String name) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      Kafka.UntypedSink out = Kafka.sink("out").partitions(1);
      for (Map.Entry<String, String> each : OLD_TIMES.entrySet()) {
        out = out.setting(each.getKey(), each.getValue());
      }
      topology
          .from(
              Kafka.source("in")
                  .value(Serdes.string())
                  .eventTime(value -> Instant.ofEpochSecond(Long.parseLong(value)))
                  .startAtEarliest()
                  .asBounded())
          .groupBy("by-parity", value -> Long.parseLong(value) % 2 == 0 ? "even" : "odd")
          .window(tumbling(Duration.ofMinutes(1)))
          .count("counts")
          .results(result ->
              result.window().start().getEpochSecond() + " " + result.key() + " " + result.value())
          .to(out.value(Serdes.string()));
    }
  }

  @Test
  void whatIsNeededOfTopicsIsNotLeftToDefaults() throws Exception {
    try (EmbeddedKafka kafka =
            EmbeddedKafka.builder(directory.resolve("kafka"))
                .property("log.message.timestamp.type", "LogAppendTime")
                .property("log.message.timestamp.before.max.ms", "1000")
                .property("log.message.timestamp.after.max.ms", "1000")
                .property("log.retention.ms", "1")
                .property("log.retention.check.interval.ms", "100")
                .property("log.initial.task.delay.ms", "0")
                .property("log.cleanup.policy", "compact,delete")
                .start();
        Admin admin =
            Admin.create(Map.<String, Object>of("bootstrap.servers", kafka.bootstrapServers()))) {
      NewTopics.create(
          kafka.bootstrapServers(), List.of(new NewTopic("in", 1, (short) 1).configs(OLD_TIMES)));
      List<String> expected = write(kafka);
      ByteArrayOutputStream err = new ByteArrayOutputStream();
      int status =
          new Launch(
                  new Counting("defaults"),
                  new PrintStream(new ByteArrayOutputStream()),
                  new PrintStream(err))
              .run(
                  List.of(
                      "--bootstrap=" + kafka.bootstrapServers(),
                      "--placement.exchanges=topics",
                      "--errors.on-error=dead-letter",
                      "--state.directory=" + directory.resolve("state")),
                  Map.of());
      assertEquals(ExitCode.DONE, status, err.toString(StandardCharsets.UTF_8));
      assertEquals(expected, read(kafka, expected.size()));
      assertSettings(admin);
    }
  }

  /// A value of every minute for an hour, and one at the end.
  private static List<String> write(EmbeddedKafka kafka) throws Exception {
    List<String> expected = new ArrayList<>();
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new StringSerializer(),
            new StringSerializer())) {
      for (int minute = 0; minute < 60; minute++) {
        long start = 1_000_000_020L + minute * 60L;
        for (long second : new long[] {1, 2, 4, 59}) {
          producer.send(new ProducerRecord<>("in", Long.toString(start + second))).get();
        }
        expected.add(start + " even 2");
        expected.add(start + " odd 2");
      }
    }
    expected.sort(null);
    return expected;
  }

  private static List<String> read(EmbeddedKafka kafka, int count) {
    List<String> found = new ArrayList<>();
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers", kafka.bootstrapServers(), "isolation.level", "read_committed"),
            new StringDeserializer(),
            new StringDeserializer())) {
      TopicPartition partition = new TopicPartition("out", 0);
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
      while (found.size() < count && System.nanoTime() < end) {
        for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
          found.add(record.value());
        }
      }
    }
    found.sort(null);
    return found;
  }

  /// What was said of each topic, and nothing else.
  private static void assertSettings(Admin admin) throws Exception {
    Map<String, Map<String, String>> expected = new TreeMap<>();
    Map<String, String> anyTime =
        Map.of(
            "message.timestamp.before.max.ms", FOREVER, "message.timestamp.after.max.ms", FOREVER);
    expected.put("in", OLD_TIMES);
    expected.put("out", OLD_TIMES);
    expected.put("defaults-versions", with(anyTime, "cleanup.policy", "compact"));
    expected.put("defaults-placement", with(anyTime, "cleanup.policy", "compact"));
    expected.put(
        "defaults-members",
        with(anyTime, "cleanup.policy", "compact,delete", "retention.ms", "86400000"));
    expected.put(
        "defaults-changelog",
        with(anyTime, "cleanup.policy", "compact", "max.message.bytes", "1048588"));
    expected.put(
        "defaults-claims",
        with(
            anyTime,
            "cleanup.policy",
            "compact",
            "segment.ms",
            "3600000",
            "delete.retention.ms",
            "3600000"));
    expected.put(
        "defaults.by-parity-exchange",
        with(
            anyTime,
            "cleanup.policy",
            "delete",
            "max.message.bytes",
            "1069056",
            "message.timestamp.type",
            "CreateTime",
            "retention.ms",
            "-1",
            "retention.bytes",
            "-1"));
    expected.put("defaults-dead-letters", Map.of("message.timestamp.type", "LogAppendTime"));
    assertEquals(expected.keySet(), new TreeSet<>(admin.listTopics().names().get()));
    Map<String, Map<String, String>> found = new TreeMap<>();
    for (String topic : expected.keySet()) {
      ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
      Config config = admin.describeConfigs(List.of(resource)).all().get().get(resource);
      Map<String, String> own = new TreeMap<>();
      for (ConfigEntry entry : config.entries()) {
        if (entry.source() == ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG) {
          own.put(entry.name(), entry.value());
        }
      }
      found.put(topic, own);
    }
    expected.replaceAll((_, settings) -> new TreeMap<>(settings));
    assertEquals(expected, found);
  }

  private static Map<String, String> with(Map<String, String> settings, String... more) {
    Map<String, String> all = new TreeMap<>(settings);
    for (int i = 0; i < more.length; i += 2) {
      all.put(more[i], more[i + 1]);
    }
    return all;
  }
}
