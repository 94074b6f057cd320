package dev.millrace.config;

import dev.millrace.config.Setting.Part;
import dev.millrace.kafka.DataPlane;
import dev.millrace.spi.settings.ChangeConfig;
import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.spi.settings.ErrorConfig;
import dev.millrace.spi.settings.Guarantee;
import dev.millrace.spi.settings.InputConfig;
import dev.millrace.spi.settings.OnError;
import dev.millrace.spi.settings.RecoveryConfig;
import dev.millrace.spi.settings.SizeLimits;
import dev.millrace.spi.settings.SnapshotConfig;
import dev.millrace.spi.settings.StateConfig;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Every setting, defined once, but for the properties of Kafka's clients and of ZooKeeper.
///
/// A definition says the key, the form of its values, where the value is in [JobConfig], and what
/// the setting is for. Its default is that of [JobConfig#defaults]. Nothing else lists settings.
final class Settings {
  /// What the keys of the clients' properties start with.
  static final String CLIENTS = "kafka.";

  /// What the keys of ZooKeeper's properties start with.
  static final String ZOOKEEPER = "zookeeper.";

  static final String BOOTSTRAP = "kafka.bootstrap.servers";
  static final String EMBEDDED_DIRECTORY = "embedded.directory";
  static final String EMBEDDED_FLAG = "--embedded";

  private static final Part<LogConfig> LOG = new Part<>(JobConfig::log, JobConfig::withLog);
  private static final Part<KafkaConfig> KAFKA = new Part<>(JobConfig::kafka, JobConfig::withKafka);
  private static final Part<EmbeddedConfig> EMBEDDED =
      new Part<>(JobConfig::embedded, JobConfig::withEmbedded);
  private static final Part<ClusterConfig> CLUSTER =
      new Part<>(JobConfig::cluster, JobConfig::withCluster);
  private static final Part<PlacementConfig> PLACEMENT =
      new Part<>(JobConfig::placement, JobConfig::withPlacement);
  private static final Part<CommitConfig> COMMIT =
      new Part<>(JobConfig::commit, JobConfig::withCommit);
  private static final Part<MemoryConfig> MEMORY =
      new Part<>(JobConfig::memory, JobConfig::withMemory);
  private static final Part<StateConfig> STATE = new Part<>(JobConfig::state, JobConfig::withState);
  private static final Part<ChangeConfig> CHANGE =
      new Part<>(JobConfig::change, JobConfig::withChange);
  private static final Part<SizeLimits> SIZES =
      new Part<>(
          job -> job.state().sizes(), (job, sizes) -> job.withState(job.state().withSizes(sizes)));
  private static final Part<RecoveryConfig> RECOVERY =
      new Part<>(JobConfig::recovery, JobConfig::withRecovery);
  private static final Part<SnapshotConfig> SNAPSHOTS =
      new Part<>(JobConfig::snapshots, JobConfig::withSnapshots);
  private static final Part<InputConfig> INPUT = new Part<>(JobConfig::input, JobConfig::withInput);
  private static final Part<ErrorConfig> ERRORS =
      new Part<>(JobConfig::errors, JobConfig::withErrors);
  private static final Part<TopicsConfig> TOPICS =
      new Part<>(JobConfig::topics, JobConfig::withTopics);
  private static final Part<HttpConfig> HTTP = new Part<>(JobConfig::http, JobConfig::withHttp);
  private static final Part<StopConfig> STOP = new Part<>(JobConfig::stop, JobConfig::withStop);

  private static final int MAX_PORT = 65_535;
  private static final int MOST_STANDBYS = 100;
  private static final int MOST_HOT_SPLITS = 10_000;
  private static final Form<Duration> SOME_TIME =
      Forms.DURATION.only(Forms.DURATION.expected() + ", above 0", Duration::isPositive);
  private static final Form<Duration> TRANSACTION_TIME =
      SOME_TIME.only(
          SOME_TIME.expected() + " and at most 24d",
          timeout -> timeout.compareTo(CommitConfig.LONGEST_TRANSACTION) <= 0);
  private static final Form<Long> SOME_MEMORY =
      Forms.SIZE.only(Forms.SIZE.expected() + ", above 0", bytes -> bytes > 0);

  /// In the order in which they are shown.
  static final List<Setting<?>> ALL =
      List.of(
          LOG.setting(
              "log",
              Forms.oneOf(LogConfig.Kind.class),
              LogConfig::kind,
              LogConfig::withKind,
              "Where records, changelogs and commits are: in Kafka, or in the memory of this"
                  + " process, with which they are lost."),
          KAFKA.setting(
              BOOTSTRAP,
              "--bootstrap",
              Forms.TEXT,
              KafkaConfig::bootstrap,
              KafkaConfig::withBootstrap,
              "Where Kafka is: HOST:PORT, or several, separated by commas."),
          KAFKA.setting(
              "kafka.data-plane",
              Forms.oneOf(DataPlane.class),
              KafkaConfig::dataPlane,
              KafkaConfig::withDataPlane,
              "Whether records move by Kafka's protocol, batch by batch (direct), or by its"
                  + " official consumer and producer; may be changed between two runs."),
          EMBEDDED.setting(
              EMBEDDED_DIRECTORY,
              EMBEDDED_FLAG,
              Forms.PATH,
              EmbeddedConfig::directory,
              EmbeddedConfig::withDirectory,
              "Start a Kafka in this process, with its data in this directory."),
          EMBEDDED.setting(
              "embedded.port",
              Forms.number(0, MAX_PORT),
              EmbeddedConfig::port,
              EmbeddedConfig::withPort,
              "Where that Kafka listens, on 127.0.0.1; 0 for a free port."),
          CLUSTER.setting(
              "cluster.membership",
              Forms.TEXT,
              ClusterConfig::membership,
              ClusterConfig::withMembership,
              "By what processes know which of them live, besides what each says in Kafka: kafka"
                  + " for nothing else, or zookeeper."),
          PLACEMENT.setting(
              "placement.workers",
              "--workers",
              Forms.number(1, Integer.MAX_VALUE),
              PlacementConfig::workers,
              PlacementConfig::withWorkers,
              "How many threads of this process process records."),
          PLACEMENT.setting(
              "placement.exchanges",
              Forms.oneOf(PlacementConfig.Exchanges.class),
              PlacementConfig::exchanges,
              PlacementConfig::withExchanges,
              "Whether records that are grouped anew go through topics or, as a preview, through"
                  + " the memory of one process that has all tasks; may be changed between two"
                  + " runs."),
          PLACEMENT.setting(
              "placement.standbys",
              Forms.number(0, MOST_STANDBYS),
              PlacementConfig::standbys,
              PlacementConfig::withStandbys,
              "How many other processes keep a copy of each task's state up to date, so that they"
                  + " can take it over at once; the same in every process."),
          PLACEMENT.setting(
              "placement.affinity-wait",
              SOME_TIME,
              PlacementConfig::affinityWait,
              PlacementConfig::withAffinityWait,
              "How long tasks wait for their process if it is gone and restoring their state"
                  + " elsewhere would take longer; the same in every process."),
          PLACEMENT.setting(
              "placement.rack",
              Forms.TEXT,
              PlacementConfig::rack,
              PlacementConfig::withRack,
              "The rack or zone in which this process runs; standbys of a task are in another one"
                  + " than its owner, if there is one."),
          PLACEMENT.setting(
              "placement.hot-splits",
              Forms.number(0, MOST_HOT_SPLITS),
              PlacementConfig::hotSplits,
              PlacementConfig::withHotSplits,
              "How many tasks may be split off from others because these stay much busier than"
                  + " most; 0 for none; the same in every process."),
          COMMIT.setting(
              "commit.interval",
              SOME_TIME,
              CommitConfig::interval,
              CommitConfig::withInterval,
              "The longest time between two commits while there is something to commit."),
          COMMIT.setting(
              "commit.latency-target",
              SOME_TIME,
              CommitConfig::latencyTarget,
              CommitConfig::withLatencyTarget,
              "How long a record should take until what it caused is committed; commits come as"
                  + " often as that needs, within commit.interval."),
          COMMIT.setting(
              "commit.guarantee",
              Forms.oneOf(Guarantee.class),
              CommitConfig::guarantee,
              CommitConfig::withGuarantee,
              "Whether an output may be written again after a failure; state is exact in any"
                  + " case."),
          COMMIT.setting(
              "commit.transaction-timeout",
              TRANSACTION_TIME,
              CommitConfig::transactionTimeout,
              CommitConfig::withTransactionTimeout,
              "When the broker gives up the transaction of a process that hangs; brokers allow 15m"
                  + " unless transaction.max.timeout.ms says otherwise."),
          MEMORY.setting(
              "memory.budget",
              "--memory",
              SOME_MEMORY,
              MemoryConfig::budget,
              MemoryConfig::withBudget,
              "Memory for all that grows with the load: state, caches, what was fetched and"
                  + " what is to be sent; if not said, as much as heap and limit allow."),
          MEMORY.setting(
              "memory.limit",
              SOME_MEMORY,
              MemoryConfig::limit,
              MemoryConfig::withLimit,
              "What the whole process may have, if that is less than its container or machine"
                  + " has."),
          STATE.setting(
              "state.directory",
              Forms.PATH,
              StateConfig::directory,
              StateConfig::withDirectory,
              "Local state of every application on this host; private to the user."),
          STATE.setting(
              "state.storage",
              Forms.oneOf(StateConfig.Storage.class),
              StateConfig::storage,
              StateConfig::withStorage,
              "What lies below the caches: the disk, or memory outside the heap, which each start"
                  + " restores from the changelog."),
          STATE.setting(
              "state.flush-interval",
              SOME_TIME,
              StateConfig::flushInterval,
              StateConfig::withFlushInterval,
              "The longest time between two flushes of a task's state to disk."),
          SIZES.setting(
              "state.max-key",
              Forms.LIMIT,
              SizeLimits::keyBytes,
              SizeLimits::withKeyBytes,
              "The largest key of a store; the changelog topic must take it with the largest"
                  + " value."),
          SIZES.setting(
              "state.max-value",
              Forms.LIMIT,
              SizeLimits::valueBytes,
              SizeLimits::withValueBytes,
              "The largest value of a store; the changelog topic must take it with the largest"
                  + " key."),
          SIZES.setting(
              "state.max-value-of",
              Forms.LIMITS,
              SizeLimits::stores,
              SizeLimits::withStores,
              "The same of some stores, or of all stores of an operator, such as"
                  + " orders=8MB,offers=2MB."),
          SIZES.setting(
              "exchanges.max-record",
              Forms.LIMIT,
              SizeLimits::recordBytes,
              SizeLimits::withRecordBytes,
              "The largest record in an exchange, key, value and headers together; its topic must"
                  + " take it."),
          SIZES.setting(
              "exchanges.max-record-of",
              Forms.LIMITS,
              SizeLimits::exchanges,
              SizeLimits::withExchanges,
              "The same of some exchanges, such as by-customer=8MB."),
          CHANGE.setting(
              "change.accept",
              Forms.TEXT,
              ChangeConfig::accept,
              ChangeConfig::withAccept,
              "The id of a change of the program that may be run over the state, as 'millrace plan"
                  + " --diff' and a refused start name it; auto for each by which state keeps its"
                  + " meaning."),
          RECOVERY.setting(
              "recovery.target",
              SOME_TIME,
              RecoveryConfig::target,
              RecoveryConfig::withTarget,
              "How long the job may take to be back after a crash, without the start of the JVM;"
                  + " decides how often state is flushed to disk."),
          RECOVERY.setting(
              "recovery.compaction",
              Forms.oneOf(RecoveryConfig.Compaction.class),
              RecoveryConfig::compaction,
              RecoveryConfig::withCompaction,
              "How eagerly the broker should compact the changelog, which a restore without local"
                  + " state reads as a whole."),
          RECOVERY.setting(
              "recovery.manage-topics",
              Forms.SWITCH,
              RecoveryConfig::manageTopics,
              RecoveryConfig::withManageTopics,
              "Set that on the changelog topic, or else only recommend it."),
          SNAPSHOTS.setting(
              "snapshots.store",
              Forms.PATH,
              SnapshotConfig::store,
              SnapshotConfig::withStore,
              "A folder that all hosts share, for snapshots of local state; nothing for none."),
          SNAPSHOTS.setting(
              "snapshots.interval",
              SOME_TIME,
              SnapshotConfig::interval,
              SnapshotConfig::withInterval,
              "The shortest time between two snapshots of a task."),
          INPUT.setting(
              "input.start",
              "--start",
              Forms.START,
              InputConfig::start,
              InputConfig::withStart,
              "Where a new application begins to read, if its sources do not say."),
          INPUT.setting(
              "input.idle-after",
              SOME_TIME,
              InputConfig::idleAfter,
              InputConfig::withIdleAfter,
              "How long a partition must have stood at its end to hold back nobody's event time."),
          INPUT.setting(
              "input.alignment",
              SOME_TIME,
              InputConfig::alignment,
              InputConfig::withAlignment,
              "By how much event time an input may be ahead of another one that has records to"
                  + " read."),
          ERRORS.setting(
              "errors.on-error",
              Forms.oneOf(OnError.class),
              ErrorConfig::onError,
              ErrorConfig::withOnError,
              "What happens to a record that cannot be processed."),
          ERRORS.setting(
              "errors.dead-letter-topic",
              Forms.TEXT,
              ErrorConfig::deadLetterTopic,
              ErrorConfig::withDeadLetterTopic,
              "Where such records go with dead-letter; empty for APPLICATION-dead-letters."),
          ERRORS.setting(
              "errors.skip",
              "--skip",
              Forms.PLACES,
              ErrorConfig::skip,
              ErrorConfig::withSkip,
              "Records to pass over; may be given several times."),
          TOPICS.setting(
              "topics.create",
              Forms.SWITCH,
              TopicsConfig::create,
              TopicsConfig::withCreate,
              "Create topics that are missing, or else print the commands that would."),
          HTTP.setting(
              "http.port",
              "--http",
              Forms.number(-1, MAX_PORT),
              HttpConfig::port,
              HttpConfig::withPort,
              "Metrics and health by HTTP; 0 for a free port, -1 for none."),
          HTTP.setting(
              "http.host",
              Forms.TEXT,
              HttpConfig::host,
              HttpConfig::withHost,
              "The address they are served on; 0.0.0.0 for all of this machine, which needs a"
                  + " token."),
          HTTP.setting(
              "http.token",
              Forms.TEXT,
              HttpConfig::token,
              HttpConfig::withToken,
              "What a request for metrics must show as 'Authorization: Bearer TOKEN'; nothing for"
                  + " none."),
          STOP.setting(
              "stop.timeout",
              SOME_TIME,
              StopConfig::timeout,
              StopConfig::withTimeout,
              "How long the job may take until its last commit when it is told to stop."),
          STOP.setting(
              "stop.hand-over",
              SOME_TIME,
              StopConfig::handOver,
              StopConfig::withHandOver,
              "How long this process goes on with its tasks then, until others are ready to take"
                  + " them over; at most half of stop.timeout, 0 to let go of them at once."));

  /// What stands for a setting that there was, by its key.
  static final Map<String, String> SUCCESSORS = Map.of("state.cache", "memory.budget");

  static final Map<String, Setting<?>> BY_KEY = byKey();

  private Settings() {}

  private static Map<String, Setting<?>> byKey() {
    Map<String, Setting<?>> all = new LinkedHashMap<>();
    ALL.forEach(setting -> all.put(setting.key(), setting));
    return all;
  }
}
