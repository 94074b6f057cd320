package dev.millrace.cli.kubernetes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.kafka.embedded.EmbeddedKafkaProvider;
import dev.millrace.kafka.embedded.Patience;
import dev.millrace.spi.LocalBroker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.common.serialization.LongSerializer;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// The autoscaler that `millrace kubernetes manifest` writes, on the control plane of Kubernetes
/// itself: more pods when the application is behind, and fewer when it is no longer. All counts are
/// compared.
@Isolated
@Tag("thorough")
class AutoscalerTest {
  private static final String IMAGE = "registry.example/slow:1";
  private static final String TOKEN = "a-token-of-this-test";
  private static final String SCALER =
      "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers/slow";
  private static final int PARTITIONS = 8;
  private static final int KEYS = 200;
  private static final int MOST = 3;

  /// More than one pod has processed when the autoscaler has seen a minute of it.
  private static final int RECORDS = 24_000;

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir private Path directory;

  @Test
  void thereAreMorePodsWhileTheApplicationIsBehind() throws Exception {
    ControlPlane.missing().ifPresent(what -> Assumptions.abort("Left out, as " + what + "."));
    Image image = Image.ofClassPath(directory, SlowCounts.class);
    try (LocalBroker broker = new EmbeddedKafkaProvider().start(directory.resolve("kafka"), 0);
        ControlPlane masters =
            new ControlPlane(Files.createDirectories(directory.resolve("plane")));
        Kubelet nodes = new Kubelet(masters.api(), directory, Map.of(IMAGE, image));
        MetricsAdapter adapter =
            new MetricsAdapter(masters.api(), directory, "millrace_lag_records", TOKEN)) {
      nodes.add("worker-1");
      createTopics(broker.bootstrapServers());
      new Guide(directory, masters.kubectl(), broker.bootstrapServers())
          .run(
              """
              kubectl create secret generic slow --from-literal=token=%s
              millrace kubernetes manifest slow --image %s --scale 1..%d --lag 100 \\
                --storage 1Gi --cpu 1 --memory 512Mi \\
                --set kafka.bootstrap.servers=%s --secret http.token=slow/token > slow.yaml
              kubectl apply -f slow.yaml
              kubectl rollout status statefulset/slow
              """
                  .formatted(TOKEN, IMAGE, MOST, broker.bootstrapServers()));
      // Ten minutes of rest are too long for a test.
      masters
          .api()
          .patch(
              SCALER,
              Api.MERGE,
              Map.of(
                  "spec",
                  Map.of(
                      "behavior", Map.of("scaleDown", Map.of("stabilizationWindowSeconds", 10)))));
      Patience.await("The metric", PATIENCE, () -> metric(masters.api()).equals("0"));
      assertEquals(1, replicas(masters.api()));
      Map<Long, Long> written = write(broker.bootstrapServers());
      Patience.await("More pods", PATIENCE, () -> replicas(masters.api()) == MOST);
      Patience.await(
          "Pods that are ready",
          PATIENCE,
          () -> number(masters.api(), "/status/readyReplicas") == MOST);
      Patience.await("Fewer pods", PATIENCE, () -> replicas(masters.api()) == 1);
      Patience.await(
          "All counts", PATIENCE, () -> counts(broker.bootstrapServers()).equals(written));
      assertTrue(
          nodes.ends().stream().allMatch(end -> end.asked() && end.status() == 0),
          nodes.ends()::toString);
      assertEquals(List.of(), nodes.troubles());
    }
  }

  private static String metric(Api api) {
    try {
      return api.get(SCALER).at("/status/currentMetrics/0/pods/current/averageValue").asString("");
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static int replicas(Api api) {
    return number(api, "/spec/replicas");
  }

  private static int number(Api api, String where) {
    try {
      return api.get("/apis/apps/v1/namespaces/default/statefulsets/slow").at(where).asInt(0);
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void createTopics(String bootstrap) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      admin
          .createTopics(
              Stream.of(SlowCounts.INPUT, SlowCounts.OUTPUT)
                  .map(topic -> new NewTopic(topic, PARTITIONS, (short) 1))
                  .toList())
          .all()
          .get();
    }
  }

  /// Writes all records at once; returns how many each key has.
  private static Map<Long, Long> write(String bootstrap) {
    Map<Long, Long> written = new HashMap<>();
    try (KafkaProducer<Long, Long> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrap), new LongSerializer(), new LongSerializer())) {
      for (long i = 0; i < RECORDS; i++) {
        // What could not be sent is missing in a count.
        var _ = producer.send(new ProducerRecord<>(SlowCounts.INPUT, i % KEYS, i));
        written.merge(i % KEYS, 1L, Long::sum);
      }
    }
    return written;
  }

  /// Returns the last count of each key.
  private static Map<Long, Long> counts(String bootstrap) {
    Map<Long, Long> last = new HashMap<>();
    Map<String, Object> settings =
        Map.of("bootstrap.servers", bootstrap, "isolation.level", "read_committed");
    try (KafkaConsumer<Long, Long> consumer =
        new KafkaConsumer<>(settings, new LongDeserializer(), new LongDeserializer())) {
      List<TopicPartition> all =
          IntStream.range(0, PARTITIONS)
              .mapToObj(i -> new TopicPartition(SlowCounts.OUTPUT, i))
              .toList();
      consumer.assign(all);
      consumer.seekToBeginning(all);
      Map<TopicPartition, Long> ends = consumer.endOffsets(all);
      while (all.stream().anyMatch(each -> consumer.position(each) < ends.get(each))) {
        consumer.poll(Duration.ofMillis(100)).forEach(each -> last.put(each.key(), each.value()));
      }
    }
    return last;
  }
}
