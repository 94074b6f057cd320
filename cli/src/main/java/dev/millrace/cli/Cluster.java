package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.cluster.decide.Decisions;
import dev.millrace.internal.cluster.live.Census;
import dev.millrace.internal.engine.Topics;
import dev.millrace.internal.engine.lease.ContainerLease;
import dev.millrace.internal.engine.lease.SignOfLife;
import dev.millrace.internal.engine.lease.StateReport;
import dev.millrace.internal.engine.lease.StateReports;
import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.internal.engine.plan.StateSizes;
import dev.millrace.internal.engine.settings.Placement;
import dev.millrace.internal.engine.versions.ApplicationName;
import dev.millrace.internal.engine.versions.ApplicationNames;
import dev.millrace.internal.engine.versions.PlanRefusedException;
import dev.millrace.internal.engine.versions.Recorded;
import dev.millrace.internal.engine.versions.VersionLog;
import dev.millrace.internal.kafka.KafkaLog;
import dev.millrace.internal.kafka.client.AdminTimeouts;
import dev.millrace.internal.kafka.client.KafkaLogSettings;
import dev.millrace.internal.kafka.client.KafkaProperties;
import dev.millrace.kafka.DataPlane;
import dev.millrace.spi.Log;
import dev.millrace.spi.Log.TopicInfo;
import dev.millrace.spi.LogException;
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
import java.util.function.Predicate;
import java.util.stream.Stream;
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
  record Seen(ProcessSign sign, long atMillis) {}

  /// A container and the last process that has run it.
  ///
  /// @param sign its last sign of life, which says which plan it runs
  /// @param beats whether it shows that it lives
  record ContainerStatus(ProcessSign sign, boolean beats) {}

  /// An application that has run on the cluster.
  ///
  /// @param called what it is called, and where it is stored
  /// @param containers by number
  /// @param changelog null if it does not exist
  /// @param claims the topic that says who writes for its tasks; null if it does not exist
  /// @param versions the topic where its plans are recorded; null if it does not exist
  /// @param names the topics of other names than the one under which it is stored; that of the
  ///   present name is last
  /// @param ofMembers the topics by which its processes know one another
  record Application(
      ApplicationName called,
      Map<String, Seen> containers,
      @Nullable TopicInfo changelog,
      @Nullable TopicInfo claims,
      @Nullable TopicInfo versions,
      List<TopicInfo> exchanges,
      List<String> names,
      List<String> ofMembers) {

    String name() {
      return called.name();
    }

    String storage() {
      return called.storage();
    }

    String containersTopic() {
      return ContainerLease.topic(storage()).name();
    }

    /// Returns the containers whose processes have not let go of them.
    Set<String> held() {
      Set<String> held = new TreeSet<>();
      containers.forEach((container, seen) -> {
        if (!seen.sign().released()) {
          held.add(container);
        }
      });
      return held;
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

  /// Returns the name under which an application is stored.
  ///
  /// @throws UserException if it is called otherwise now
  static String storage(String servers, Map<String, String> properties, String name) {
    try (Cluster cluster = connect(servers, properties)) {
      return cluster.called(name).storage();
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
        Application application =
            name.matches(APPLICATION) ? application(ofStorage(name), topics) : null;
        if (application != null) {
          found.put(application.name(), application);
        }
      }
    }
    return found;
  }

  /// An application that has run here; null if there is none of that name.
  ///
  /// @throws UserException if it is called otherwise now
  @Nullable Application application(String name) throws InterruptedException {
    ApplicationName called = called(name);
    Set<String> topics = new TreeSet<>(of(admin.listTopics().names()));
    String containers = ContainerLease.topic(called.storage()).name();
    return topics.contains(containers) ? application(called, topics) : null;
  }

  /// Returns where an application of some name is stored, whether or not it exists. All commands
  /// that are given the name of an application find what belongs to it by this.
  ///
  /// @throws UserException if it is called otherwise now
  ApplicationName called(String name) {
    ApplicationNames.Found found = names().find(name);
    // Of one whose deletion was begun, the topic that says what it is called may be gone.
    boolean deleted = !found.recorded().isStorage();
    try {
      return (deleted ? found : found.require()).application();
    } catch (PlanRefusedException e) {
      throw new UserException(ExitCode.USAGE, String.valueOf(e.getMessage()));
    }
  }

  private ApplicationNames names() {
    return new ApplicationNames(log, new CommandClock(), Cluster::pause);
  }

  private ApplicationName ofStorage(String storage) {
    return new ApplicationName(names().find(storage).now(), storage);
  }

  /// Returns an application, or null if its topic with signs of life is not Millrace's: then none
  /// of the topics are.
  private @Nullable Application application(ApplicationName called, Set<String> topics) {
    String name = called.storage();
    Map<String, Seen> signs = signs(name);
    if (signs == null || (signs.isEmpty() && decisions(name) == null)) {
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
    return new Application(
        called,
        signs,
        topic(changelog(name)),
        topic(Plan.claimsTopic(name)),
        versions,
        exchanges,
        nameTopics(called),
        Stream.of(Plan.membersTopic(name), Plan.placementTopic(name))
            .filter(topics::contains)
            .toList());
  }

  private List<String> nameTopics(ApplicationName called) {
    List<String> names = new ArrayList<>(names().find(called.storage()).recorded().names());
    names.removeAll(List.of(called.name(), called.storage()));
    if (!called.name().equals(called.storage())) {
      names.add(called.name());
    }
    names.removeIf(name -> !names().find(name).application().storage().equals(called.storage()));
    return names.stream().map(name -> VersionLog.topic(name).name()).toList();
  }

  static String changelog(String application) {
    return application + "-changelog";
  }

  private static boolean isExchange(TopicInfo topic) {
    return topic.settings().entrySet().containsAll(Topics.ofExchanges().entrySet());
  }

  /// Returns the last sign of life of each process, with a number or without; null if something
  /// else is in the topic of those with numbers.
  private @Nullable Map<String, Seen> signs(String application) {
    Map<String, Seen> signs = signsOfNumbers(ContainerLease.topic(application).name());
    if (signs != null) {
      census(application)
          .last()
          .forEach((home, said) ->
              signs.put(home, new Seen(ProcessSign.of(said.sign()), said.atMillis())));
    }
    return signs;
  }

  /// Returns what asks for the processes of an application, by the name under which it is stored.
  Census census(String application) {
    return new Census(application, log, new CommandClock(), Cluster::pause);
  }

  /// Returns what is decided about which process owns which task of an application; null if nothing
  /// ever was.
  ///
  /// @param application the name under which it is stored
  @Nullable Decisions decisions(String application) {
    try (Decisions decisions = new Decisions(application, log)) {
      long end = System.nanoTime() + PATIENCE.toNanos();
      while (!decisions.read() && System.nanoTime() < end) {
        pause();
      }
      return decisions.term().number() > 0 ? decisions : null;
    } catch (LogException e) {
      if (e.kind() == LogException.Kind.MISSING) {
        return null;
      }
      throw e;
    }
  }

  private @Nullable Map<String, Seen> signsOfNumbers(String topic) {
    TopicInfo info = topic(topic);
    if (info == null
        || info.partitions() != 1
        || !"compact".equals(info.settings().get("cleanup.policy"))) {
      return null;
    }
    Split split = new Split(topic, 0);
    Log.Offsets offsets = Objects.requireNonNull(log.offsets(List.of(split)).get(split), topic);
    Map<String, Seen> signs = new TreeMap<>();
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
          signs.put(
              Integer.toString(sign.container()),
              new Seen(ProcessSign.of(sign), batch.timestamp(i)));
        }
        next = batch.nextOffset();
        batch.release();
      }
    }
    return signs;
  }

  /// Returns the containers of an application that show that they live; waits for signs of those
  /// that have not let go.
  Map<String, ProcessSign> alive(Application application) throws InterruptedException {
    return application.held().isEmpty()
        ? new TreeMap<>()
        : beating(application, alive -> !alive.isEmpty());
  }

  /// Returns the containers of an application by their numbers: which process runs each or ran it
  /// last, whether that lives, and which plan it runs. Waits at most six seconds for a sign of life
  /// of each that has not let go.
  SortedMap<String, ContainerStatus> status(Application application) throws InterruptedException {
    Set<String> held = application.held();
    Map<String, ProcessSign> alive =
        held.isEmpty()
            ? new TreeMap<>()
            : beating(application, each -> each.keySet().containsAll(held));
    SortedMap<String, ContainerStatus> containers = new TreeMap<>();
    application
        .containers()
        .forEach((container, seen) ->
            containers.put(container, new ContainerStatus(seen.sign(), false)));
    alive.forEach((container, sign) -> containers.put(container, new ContainerStatus(sign, true)));
    return containers;
  }

  /// Returns the containers with a new sign of life, once there are enough or no more to be
  /// expected.
  private Map<String, ProcessSign> beating(
      Application application, Predicate<Map<String, ProcessSign>> enough)
      throws InterruptedException {
    Map<String, ProcessSign> alive = new TreeMap<>();
    long end = System.nanoTime() + ContainerLease.PATIENCE.toNanos();
    while (!enough.test(alive) && System.nanoTime() < end) {
      Thread.sleep(ContainerLease.BEAT.toMillis() / 4);
      Map<String, Seen> now = signs(application.storage());
      for (Map.Entry<String, Seen> each : (now == null ? Map.<String, Seen>of() : now).entrySet()) {
        ProcessSign sign = each.getValue().sign();
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
  Recorded recorded(ApplicationName application) {
    return VersionLog.recorded(application.storage(), log, new CommandClock(), Cluster::pause);
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
  int transactionalIds(Application application) {
    return log.transactionalIds(Placement.idPrefix(application.storage())).size();
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
