package dev.millrace.benchmarks.scenarios;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;

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
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
      admin
          .createTopics(List.of(new NewTopic(topic, partitions, (short) 1).configs(settings)))
          .all()
          .get();
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
      while (!led(admin, topic, partitions)) {
        if (System.nanoTime() > end) {
          throw new TimeoutException(
              "Topic '%s' has no leaders after %d s".formatted(topic, PATIENCE_SECONDS));
        }
        Thread.sleep(20);
      }
    }
  }

  private static boolean led(Admin admin, String topic, int partitions)
      throws InterruptedException, ExecutionException {
    if (!admin.listTopics().names().get().contains(topic)) {
      return false;
    }
    TopicDescription description =
        admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic);
    return description != null
        && description.partitions().size() == partitions
        && description.partitions().stream()
            .allMatch(each -> each.leader() != null && !each.leader().isEmpty());
  }
}
