package dev.millrace.kafka.embedded;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.CreateTopicsResult;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/// Creates topics, and waits until they can be written to. Thread-safe.
///
/// After Kafka has created a topic, its brokers know it a little later, and lead its partitions
/// later still. A producer with several requests under way may wait for two minutes if the first of
/// them is too early and the next one is not.
public final class NewTopics {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private NewTopics() {}

  /// Creates topics, and waits for an answer of each leader, at most a minute.
  ///
  /// @throws ExecutionException if Kafka refuses
  /// @throws TimeoutException if the broker does not know them in time
  public static void create(String bootstrap, Collection<NewTopic> topics)
      throws InterruptedException, ExecutionException, TimeoutException {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            bootstrap,
            "retry.backoff.ms",
            5,
            "retry.backoff.max.ms",
            50,
            "default.api.timeout.ms",
            (int) PATIENCE.toMillis());
    try (Admin admin = Admin.create(settings)) {
      CreateTopicsResult created = admin.createTopics(topics);
      created.all().get();
      List<String> names = topics.stream().map(NewTopic::name).toList();
      // To be asked about a topic that is not known is an error; that it has no leader yet is not.
      long end = System.nanoTime() + PATIENCE.toNanos();
      while (!admin.listTopics().names().get().containsAll(names)) {
        if (System.nanoTime() - end > 0) {
          throw new TimeoutException(
              "Topics %s were created, but after %s the broker does not know all of them."
                  .formatted(names, PATIENCE));
        }
        Thread.sleep(5);
      }
      Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
      for (String name : names) {
        int partitions = created.numPartitions(name).get();
        for (int partition = 0; partition < partitions; partition++) {
          ends.put(new TopicPartition(name, partition), OffsetSpec.latest());
        }
      }
      admin.listOffsets(ends).all().get();
    }
  }
}
