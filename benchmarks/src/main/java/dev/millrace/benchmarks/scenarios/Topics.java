package dev.millrace.benchmarks.scenarios;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/// Topics that are there as soon as they were created.
public final class Topics {
  private static final int PATIENCE_SECONDS = 60;

  private Topics() {}

  /// Creates a topic and waits until each partition has a leader, so that no client finds it half
  /// made.
  public static void create(String bootstrap, String topic, int partitions)
      throws InterruptedException, ExecutionException, TimeoutException {
    create(bootstrap, topic, partitions, Map.of());
  }

  /// The same with settings of the topic.
  public static void create(
      String bootstrap, String topic, int partitions, Map<String, String> settings)
      throws InterruptedException, ExecutionException, TimeoutException {
    Map<TopicPartition, OffsetSpec> ends =
        IntStream.range(0, partitions)
            .mapToObj(partition -> new TopicPartition(topic, partition))
            .collect(Collectors.toMap(each -> each, _ -> OffsetSpec.latest()));
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      admin
          .createTopics(List.of(new NewTopic(topic, partitions, (short) 1).configs(settings)))
          .all()
          .get();
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
      while (!admin.listTopics().names().get().contains(topic)) {
        if (System.nanoTime() > end) {
          throw new TimeoutException(
              "Topic '%s' is not known after %d s".formatted(topic, PATIENCE_SECONDS));
        }
        Thread.sleep(20);
      }
      // What the broker knows of a topic comes before it can write to it: only an answer of the
      // leader tells. The client asks until it has one, or a minute.
      admin.listOffsets(ends).all().get();
    }
  }
}
