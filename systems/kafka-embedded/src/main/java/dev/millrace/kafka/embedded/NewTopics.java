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

/// Topics that can be written to as soon as they were created. Thread-safe.
///
/// When Kafka has created a topic, its brokers hear of it a little later, and lead its partitions
/// later still. A producer with several requests under way may wait for two minutes if the first of
/// them comes too early and the next one does not.
public final class NewTopics {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private NewTopics() {}

  /// Creates topics, and waits for an answer of each leader, a minute at most.
  ///
  /// @throws ExecutionException if Kafka refuses
  /// @throws TimeoutException if the broker does not hear of them
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
              "Topics %s were created, and the broker does not know them all after %s."
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
