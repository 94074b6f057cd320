package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.internal.cluster.decide.Decisions;
import dev.millrace.internal.cluster.live.Census;
import dev.millrace.internal.cluster.live.Signs;
import dev.millrace.internal.cluster.state.StateReports;
import dev.millrace.internal.engine.Topics;
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
import dev.millrace.spi.Clock;
import dev.millrace.spi.Log;
import dev.millrace.spi.Log.TopicInfo;
import dev.millrace.spi.LogException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
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
  private static final String PLACEMENT = Plan.placementTopic("");
  private static final String EXCHANGE = "-exchange";
  private static final String APPLICATION = "[a-z0-9][a-z0-9-]{0,99}";

  private final String servers;
  private final Log log;
  private final Admin admin;

  /// A process of an application.
  ///
  /// @param sign its last sign of life, which says which plan it runs
  /// @param beats whether it shows that it lives
  record ContainerStatus(ProcessSign sign, boolean beats) {}

  /// An application that has run on the cluster.
  ///
  /// @param called what it is called, and where it is stored
  /// @param said what each of its processes has said last
  /// @param changelog null if it does not exist
  /// @param claims the topic that says who writes for its tasks; null if it does not exist
  /// @param versions the topic where its plans are recorded; null if it does not exist
  /// @param names the topics of other names than the one under which it is stored; that of the
  ///   present name is last
  /// @param ofMembers the topics by which its processes know one another
  record Application(
      ApplicationName called,
      SortedMap<String, Census.Said> said,
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

    /// Returns what each of its processes has said last, by their names.
    SortedMap<String, ProcessSign> containers() {
      return signs(said);
    }
  }

  private static SortedMap<String, ProcessSign> signs(SortedMap<String, Census.Said> said) {
    SortedMap<String, ProcessSign> signs = new TreeMap<>();
    said.forEach((name, each) -> signs.put(name, ProcessSign.of(each)));
    return signs;
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
      if (topic.endsWith(PLACEMENT)) {
        String name = topic.substring(0, topic.length() - PLACEMENT.length());
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
    return topics.contains(Plan.placementTopic(called.storage()))
        ? application(called, topics)
        : null;
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
    return new ApplicationNames(log, Clock.system(), Cluster::pause);
  }

  private ApplicationName ofStorage(String storage) {
    return new ApplicationName(names().find(storage).now(), storage);
  }

  /// Returns an application, or null if the topics by which its processes know one another are not
  /// Millrace's: then none of the topics are.
  private @Nullable Application application(ApplicationName called, Set<String> topics) {
    String name = called.storage();
    if (!isOurs(Decisions.topic(name))
        || (topics.contains(Plan.membersTopic(name)) && !isOurs(Signs.topic(name)))) {
      return null;
    }
    SortedMap<String, Census.Said> said = census(name).last();
    if (said.isEmpty() && decisions(name) == null) {
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
        said,
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

  /// Returns whether a topic is as Millrace makes it.
  private boolean isOurs(Log.TopicSpec made) {
    TopicInfo info = topic(made.name());
    return info != null
        && info.partitions() == made.partitions()
        && info.settings().entrySet().containsAll(made.settings().entrySet());
  }

  /// Returns what asks for the processes of an application, by the name under which it is stored.
  Census census(String application) {
    return new Census(application, log, Clock.system(), Cluster::pause);
  }

  /// Returns what is decided about which process owns which task of an application; null if nothing
  /// ever was.
  ///
  /// @param application the name under which it is stored
  @Nullable Decisions decisions(String application) {
    try (Decisions decisions = new Decisions(application, log)) {
      decisions.readAll(Clock.system(), Cluster::pause, PATIENCE);
      return decisions.term().number() > 0 ? decisions : null;
    } catch (LogException e) {
      if (e.kind() == LogException.Kind.MISSING) {
        return null;
      }
      throw e;
    }
  }

  /// Returns the processes of an application that show that they live; waits for signs of those
  /// that have not said that they end.
  SortedMap<String, ProcessSign> alive(Application application) {
    return signs(census(application.storage()).living(application.said()));
  }

  /// Returns the processes of an application by their names: what each has said last, and whether
  /// it lives, for which this waits as [#alive].
  SortedMap<String, ContainerStatus> status(Application application) {
    SortedMap<String, ContainerStatus> containers = new TreeMap<>();
    application
        .containers()
        .forEach((name, sign) -> containers.put(name, new ContainerStatus(sign, false)));
    alive(application)
        .forEach((name, sign) -> containers.put(name, new ContainerStatus(sign, true)));
    return containers;
  }

  /// Returns how many partitions each topic has.
  SortedMap<String, Integer> partitions() {
    return new TreeMap<>(log.partitions(log.topicNames()));
  }

  /// Returns what is recorded of an application's plans, which is nothing if it has not run.
  Recorded recorded(ApplicationName application) {
    return VersionLog.recorded(application.storage(), log, Clock.system(), Cluster::pause);
  }

  /// Returns how large the state of an application is, as far as its processes have told.
  StateSizes stateSizes(String application) {
    return StateReports.sizes(application, log, Clock.system(), Cluster::pause);
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
