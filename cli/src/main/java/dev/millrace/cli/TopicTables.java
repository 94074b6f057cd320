package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.internal.kafka.client.AdminTimeouts;
import dev.millrace.internal.kafka.client.KafkaProperties;
import dev.millrace.internal.kafka.client.NearestName;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.InvalidPartitionsException;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/// Shows topics as tables, and creates some.
final class TopicTables implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final String servers;
  private final PrintWriter out;
  private final Admin admin;

  TopicTables(String servers, Map<String, String> properties, PrintWriter out) {
    this.servers = servers;
    this.out = out;
    Map<String, Object> known = KafkaProperties.knownTo(AdminClientConfig.configDef(), properties);
    known.putAll(AdminTimeouts.of(properties, PATIENCE).missing());
    known.put("bootstrap.servers", servers);
    try {
      admin = Admin.create(known);
    } catch (KafkaException e) {
      throw new UserException(
          ExitCode.USAGE,
          "Kafka at %s cannot be reached: %s"
              .formatted(servers, e.getCause() == null ? e.getMessage() : e.getCause()));
    }
  }

  /// Creates a topic, and waits until its partitions have leaders.
  ///
  /// @param replicas of each partition; -1 for as many as the cluster gives
  void create(String name, int partitions, short replicas, Map<String, String> settings)
      throws InterruptedException {
    NewTopic topic =
        new NewTopic(
            name, Optional.of(partitions), replicas < 0 ? Optional.empty() : Optional.of(replicas));
    try {
      admin.createTopics(List.of(topic.configs(settings))).all().get();
    } catch (ExecutionException e) {
      throw switch (e.getCause()) {
        case TopicExistsException _ ->
            new UserException(
                ExitCode.USAGE,
                "Topic '%s' exists already at %s. 'millrace topics %s' describes it."
                    .formatted(name, servers, name));
        case InvalidTopicException refused -> refused(name, refused);
        case InvalidPartitionsException refused -> refused(name, refused);
        case InvalidReplicationFactorException refused -> refused(name, refused);
        case InvalidConfigurationException refused -> refused(name, refused);
        case PolicyViolationException refused -> refused(name, refused);
        case null -> failed(servers, e);
        case Throwable other -> failed(servers, other);
      };
    }
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!hasLeaders(name, partitions) && System.nanoTime() < end) {
      Thread.sleep(20);
    }
  }

  private UserException refused(String topic, Exception why) {
    return new UserException(
        ExitCode.USAGE,
        "Topic '%s' was not created at %s: %s".formatted(topic, servers, why.getMessage()));
  }

  private boolean hasLeaders(String name, int partitions) throws InterruptedException {
    try {
      TopicDescription found = admin.describeTopics(List.of(name)).allTopicNames().get().get(name);
      return found != null
          && found.partitions().size() == partitions
          && found.partitions().stream().allMatch(each -> each.leader() != null);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return false; // the broker has not heard of it yet
      }
      throw failed(servers, e.getCause() == null ? e : e.getCause());
    }
  }

  /// Lists topics, each in a line.
  ///
  /// @param only those of them that exist; null for all
  void list(@Nullable Predicate<String> only) throws InterruptedException {
    Set<String> names = new TreeSet<>(of(admin.listTopics().names()));
    if (only != null) {
      names.removeIf(only.negate());
    }
    if (names.isEmpty()) {
      out.println("There are no such topics at " + servers + ".");
      return;
    }
    Map<String, TopicDescription> topics =
        new TreeMap<>(of(admin.describeTopics(names).allTopicNames()));
    List<TopicPartition> partitions =
        topics.values().stream().map(TopicTables::partitions).flatMap(List::stream).toList();
    Map<TopicPartition, Long> starts = offsets(partitions, OffsetSpec.earliest(), false);
    Map<TopicPartition, Long> ends = offsets(partitions, OffsetSpec.latest(), false);
    TextTable table = new TextTable("topic", "partitions", "offsets");
    topics.forEach((name, topic) -> {
      long offsets =
          partitions(topic).stream().mapToLong(each -> of(ends, each) - of(starts, each)).sum();
      table.add(name, Integer.toString(topic.partitions().size()), grouped(offsets));
    });
    table.print(out);
    out.println(
        "Offsets are end minus start, which counts records and the markers of transactions.");
  }

  /// Returns the existing topics that match, ordered by name.
  Set<String> existing(Predicate<String> asked) throws InterruptedException {
    Set<String> names = new TreeSet<>(of(admin.listTopics().names()));
    names.removeIf(asked.negate());
    return names;
  }

  /// Shows a topic's partitions and settings.
  void describe(String name) throws InterruptedException {
    Set<String> names = of(admin.listTopics().names());
    if (!names.contains(name)) {
      throw new UserException(
          ExitCode.USAGE,
          "Topic '%s' does not exist at %s%s."
              .formatted(
                  name,
                  servers,
                  NearestName.of(name, names)
                      .map(near -> "; did you mean '" + near + "'?")
                      .orElse("")));
    }
    List<TopicPartition> partitions =
        partitions(of(admin.describeTopics(List.of(name)).allTopicNames()).get(name));
    Map<TopicPartition, Long> starts = offsets(partitions, OffsetSpec.earliest(), false);
    Map<TopicPartition, Long> stable = offsets(partitions, OffsetSpec.latest(), true);
    Map<TopicPartition, Long> ends = offsets(partitions, OffsetSpec.latest(), false);
    out.println(name + settings(name));
    TextTable table = new TextTable("  partition", "start", "stable end", "end");
    for (TopicPartition each : partitions) {
      table.add(
          "  " + each.partition(),
          grouped(of(starts, each)),
          grouped(of(stable, each)),
          grouped(of(ends, each)));
    }
    table.print(out);
  }

  private String settings(String topic) throws InterruptedException {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    Config config = of(admin.describeConfigs(List.of(resource)).all()).get(resource);
    List<String> own = new ArrayList<>();
    for (ConfigEntry entry : Objects.requireNonNull(config).entries()) {
      if (entry.source() == ConfigEntry.ConfigSource.DYNAMIC_TOPIC_CONFIG) {
        own.add(entry.name() + "=" + entry.value());
      }
    }
    own.sort(null);
    return own.isEmpty() ? "" : " (" + String.join(", ", own) + ")";
  }

  private Map<TopicPartition, Long> offsets(
      List<TopicPartition> partitions, OffsetSpec which, boolean stable)
      throws InterruptedException {
    Map<TopicPartition, OffsetSpec> asked = new HashMap<>();
    partitions.forEach(each -> asked.put(each, which));
    Map<TopicPartition, Long> found = new HashMap<>();
    of(admin
            .listOffsets(
                asked,
                new ListOffsetsOptions(
                    stable ? IsolationLevel.READ_COMMITTED : IsolationLevel.READ_UNCOMMITTED))
            .all())
        .forEach((partition, info) -> found.put(partition, info.offset()));
    return found;
  }

  private static List<TopicPartition> partitions(@Nullable TopicDescription topic) {
    return topic == null
        ? List.of()
        : topic.partitions().stream()
            .map(info -> new TopicPartition(topic.name(), info.partition()))
            .toList();
  }

  private <T> T of(KafkaFuture<T> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw failed(servers, e.getCause() == null ? e : e.getCause());
    }
  }

  /// Returns the exception for a failed request to Kafka.
  static UserException failed(String servers, Throwable cause) {
    if (cause instanceof TimeoutException) {
      return new UserException(
          ExitCode.FAILED,
          "No Kafka broker answers at %s. Start it, or correct the address.".formatted(servers));
    }
    return new UserException(
        ExitCode.FAILED,
        "Kafka at %s gave an unexpected answer: %s"
            .formatted(servers, cause.getMessage() == null ? cause : cause.getMessage()));
  }

  private static long of(Map<TopicPartition, Long> offsets, TopicPartition partition) {
    return Objects.requireNonNull(offsets.get(partition), partition.toString());
  }

  private static String grouped(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  @Override
  public void close() {
    admin.close(Duration.ofSeconds(2));
  }
}
