package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.engine.Topics;
import dev.millrace.internal.engine.lease.ContainerLease;
import dev.millrace.internal.engine.lease.SignOfLife;
import dev.millrace.internal.engine.lease.StateReport;
import dev.millrace.internal.engine.lease.StateReports;
import dev.millrace.internal.engine.plan.StateSizes;
import dev.millrace.internal.engine.settings.Placement;
import dev.millrace.internal.engine.versions.Recorded;
import dev.millrace.internal.engine.versions.VersionLog;
import dev.millrace.internal.kafka.KafkaLog;
import dev.millrace.internal.kafka.client.AdminTimeouts;
import dev.millrace.internal.kafka.client.KafkaLogSettings;
import dev.millrace.internal.kafka.client.KafkaProperties;
import dev.millrace.kafka.DataPlane;
import dev.millrace.spi.Log;
import dev.millrace.spi.Log.TopicInfo;
import dev.millrace.spi.Position;
import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;
import dev.millrace.spi.SplitReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.GroupNotEmptyException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/// Reads and deletes the topics and positions of applications on a cluster.
final class Cluster implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(15);
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final String CONTAINERS = ContainerLease.topic("").name();
  private static final String EXCHANGE = "-exchange";
  private static final String APPLICATION = "[a-z0-9][a-z0-9-]{0,99}";

  private final String servers;
  private final Log log;
  private final Admin admin;

  /// The last sign of life of a container, and when it was written by the clock of its host.
  record Seen(SignOfLife sign, long atMillis) {}

  /// An application that has run on the cluster.
  ///
  /// @param containers by number
  /// @param changelog null if it does not exist
  /// @param versions the topic where its plans are recorded; null if it does not exist
  record Application(
      String name,
      Map<Integer, Seen> containers,
      @Nullable TopicInfo changelog,
      @Nullable TopicInfo versions,
      List<TopicInfo> exchanges) {

    String containersTopic() {
      return ContainerLease.topic(name).name();
    }
  }

  private Cluster(String servers, Log log, Admin admin) {
    this.servers = servers;
    this.log = log;
    this.admin = admin;
  }

  static Cluster connect(String servers, Map<String, String> properties) {
    Map<String, Object> known = KafkaProperties.knownTo(AdminClientConfig.configDef(), properties);
    known.putAll(AdminTimeouts.of(properties, PATIENCE).missing());
    known.put("bootstrap.servers", servers);
    Log log =
        KafkaLog.connect(
            KafkaLogSettings.of(servers, "millrace-app")
                .withDataPlane(DataPlane.OFFICIAL) // which asks less of a cluster
                .withProperties(properties));
    try {
      return new Cluster(servers, log, Admin.create(known));
    } catch (KafkaException e) {
      log.close();
      throw TopicTables.failed(servers, e);
    }
  }

  String id() {
    return log.clusterId();
  }

  Log log() {
    return log;
  }

  /// A topic; null if it does not exist.
  @Nullable TopicInfo topic(String name) {
    return log.topics(List.of(name)).get(name);
  }

  /// Returns all applications that have run here, by name.
  Map<String, Application> applications() throws InterruptedException {
    Set<String> topics = new TreeSet<>(of(admin.listTopics().names()));
    Map<String, Application> found = new TreeMap<>();
    for (String topic : topics) {
      if (topic.endsWith(CONTAINERS)) {
        String name = topic.substring(0, topic.length() - CONTAINERS.length());
        Application application = name.matches(APPLICATION) ? application(name, topics) : null;
        if (application != null) {
          found.put(name, application);
        }
      }
    }
    return found;
  }

  /// An application that has run here; null if there is none of that name.
  @Nullable Application application(String name) throws InterruptedException {
    Set<String> topics = new TreeSet<>(of(admin.listTopics().names()));
    String containers = ContainerLease.topic(name).name();
    return topics.contains(containers) ? application(name, topics) : null;
  }

  /// Returns an application, or null if its topic with signs of life is not Millrace's: then none
  /// of the topics are.
  private @Nullable Application application(String name, Set<String> topics) {
    Map<Integer, Seen> signs = signs(ContainerLease.topic(name).name());
    if (signs == null) {
      return null;
    }
    List<String> named = new ArrayList<>();
    for (String topic : topics) {
      if (topic.startsWith(name + ".") && topic.endsWith(EXCHANGE)) {
        named.add(topic);
      }
    }
    List<TopicInfo> exchanges =
        new TreeMap<>(log.topics(named)).values().stream().filter(Cluster::isExchange).toList();
    TopicInfo versions = topic(VersionLog.topic(name).name());
    return new Application(name, signs, topic(changelog(name)), versions, exchanges);
  }

  static String changelog(String application) {
    return application + "-changelog";
  }

  private static boolean isExchange(TopicInfo topic) {
    return topic.settings().entrySet().containsAll(Topics.ofExchanges().entrySet());
  }

  /// Returns the last sign of life of each container; null if something else, or nothing, is in the
  /// topic.
  private @Nullable Map<Integer, Seen> signs(String topic) {
    TopicInfo info = topic(topic);
    if (info == null
        || info.partitions() != 1
        || !"compact".equals(info.settings().get("cleanup.policy"))) {
      return null;
    }
    Split split = new Split(topic, 0);
    Log.Offsets offsets = Objects.requireNonNull(log.offsets(List.of(split)).get(split), topic);
    Map<Integer, Seen> signs = new TreeMap<>();
    Bytes view = new Bytes();
    try (SplitReader reader = log.reader("signs")) {
      reader.add(split, Position.of(offsets.start()));
      for (long next = offsets.start(); next < offsets.stableEnd(); ) {
        RecordBatch batch = reader.poll(Duration.ofMillis(100));
        if (batch == null) {
          continue;
        }
        for (int i = 0; i < batch.size(); i++) {
          if (batch.hasKey(i) && StateReport.isKey(batch.key(i, view).toUtf8())) {
            continue;
          }
          SignOfLife sign =
              SignOfLife.read(
                  batch.hasKey(i) ? batch.key(i, view).toByteArray() : null,
                  batch.hasValue(i) ? batch.value(i, view).toByteArray() : null);
          if (sign == null) {
            batch.release();
            return null;
          }
          signs.put(sign.container(), new Seen(sign, batch.timestamp(i)));
        }
        next = batch.nextOffset();
        batch.release();
      }
    }
    return signs.isEmpty() ? null : signs;
  }

  /// Returns the containers of an application that show that they live; waits for signs of those
  /// that have not let go.
  Map<Integer, SignOfLife> alive(Application application) throws InterruptedException {
    Map<Integer, SignOfLife> alive = new TreeMap<>();
    if (application.containers().values().stream().allMatch(seen -> seen.sign().released())) {
      return alive;
    }
    long end = System.nanoTime() + ContainerLease.PATIENCE.toNanos();
    while (alive.isEmpty() && System.nanoTime() < end) {
      Thread.sleep(ContainerLease.BEAT.toMillis() / 4);
      Map<Integer, Seen> now = signs(application.containersTopic());
      for (Map.Entry<Integer, Seen> each :
          (now == null ? Map.<Integer, Seen>of() : now).entrySet()) {
        SignOfLife sign = each.getValue().sign();
        Seen before = application.containers().get(each.getKey());
        if (!sign.released() && (before == null || !before.sign().equals(sign))) {
          alive.put(each.getKey(), sign);
        }
      }
    }
    return alive;
  }

  /// Returns how many partitions each topic has.
  SortedMap<String, Integer> partitions() {
    return new TreeMap<>(log.partitions(log.topicNames()));
  }

  /// Returns what is recorded of an application's plans, which is nothing if it has not run.
  Recorded recorded(String application) {
    return VersionLog.recorded(application, log, new CommandClock(), Cluster::pause);
  }

  /// Returns what the containers of an application have told of its state.
  StateSizes stateSizes(String application) {
    return StateReports.sizes(application, log, new CommandClock(), Cluster::pause);
  }

  /// Waits for a moment.
  static void pause() {
    LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
  }

  /// Returns how many transactional ids of an application the cluster knows.
  int transactionalIds(String application) {
    return log.transactionalIds(Placement.idPrefix(application)).size();
  }

  void deleteTopics(Collection<String> topics) throws InterruptedException {
    for (KafkaFuture<Void> each : admin.deleteTopics(topics).topicNameValues().values()) {
      ofUnless(each, UnknownTopicOrPartitionException.class);
    }
    awaitGone(topics);
  }

  /// Brokers hear of a deletion a moment later, and until then a start would find the topics.
  private void awaitGone(Collection<String> topics) throws InterruptedException {
    long begunNanos = System.nanoTime();
    while (!log.topics(topics).isEmpty()) {
      if (System.nanoTime() - begunNanos > PATIENCE.toNanos()) {
        throw new UserException(
            ExitCode.FAILED,
            "Kafka was asked to delete %s, and after %d s it has not. Check that delete.topic.enable is not false on the brokers."
                .formatted(String.join(", ", topics), PATIENCE.toSeconds()));
      }
      Thread.sleep(PAUSE);
    }
  }

  /// Deletes the positions that are copied to a consumer group; nothing if there is none.
  void deleteGroup(String group) throws InterruptedException {
    try {
      admin.deleteConsumerGroups(List.of(group)).all().get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof GroupNotEmptyException) {
        throw new UserException(
            ExitCode.FAILED,
            "The consumer group '%s' has members that are not part of Millrace. Stop them."
                .formatted(group));
      }
      if (!(e.getCause() instanceof GroupIdNotFoundException)) {
        throw TopicTables.failed(servers, e.getCause() == null ? e : e.getCause());
      }
    }
  }

  private void ofUnless(KafkaFuture<Void> future, Class<? extends Exception> ignored)
      throws InterruptedException {
    try {
      future.get();
    } catch (ExecutionException e) {
      if (!ignored.isInstance(e.getCause())) {
        throw TopicTables.failed(servers, e.getCause() == null ? e : e.getCause());
      }
    }
  }

  private <T> T of(KafkaFuture<T> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw TopicTables.failed(servers, e.getCause() == null ? e : e.getCause());
    }
  }

  @Override
  public void close() {
    try (log) {
      admin.close(Duration.ofSeconds(2));
    }
  }
}
