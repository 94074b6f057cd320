package dev.millrace.benchmarks.scenarios;

import dev.millrace.kafka.embedded.NewTopics;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.NewTopic;

/// Topics that are there as soon as they were created.
public final class Topics {
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
    NewTopics.create(
        bootstrap, List.of(new NewTopic(topic, partitions, (short) 1).configs(settings)));
  }
}
