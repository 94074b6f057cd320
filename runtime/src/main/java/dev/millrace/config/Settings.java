package dev.millrace.config;

import dev.millrace.api.OnError;
import dev.millrace.api.Start;
import dev.millrace.kafka.DataPlane;
import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.spi.settings.ErrorConfig;
import dev.millrace.spi.settings.Guarantee;
import dev.millrace.spi.settings.InputConfig;
import dev.millrace.spi.settings.RecordPlace;
import dev.millrace.spi.settings.RecoveryConfig;
import dev.millrace.spi.settings.RecoveryConfig.Compaction;
import dev.millrace.spi.settings.SizeLimits;
import dev.millrace.spi.settings.SnapshotConfig;
import dev.millrace.spi.settings.StateConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Every setting there is, but for the properties of Kafka's clients: those are theirs.
final class Settings {
  /// What the keys of the clients' properties start with.
  static final String KAFKA = "kafka.";

  private static final int MAX_PORT = 65_535;
  private static final Form<Duration> SOME_TIME =
      Forms.DURATION.only(Forms.DURATION.expected() + ", above 0", Duration::isPositive);

  static final Setting<String> BOOTSTRAP =
      setting(
          "kafka.bootstrap.servers",
          "--bootstrap",
          Forms.TEXT,
          KafkaConfig.defaults().bootstrap(),
          "Where Kafka is: HOST:PORT, or several, separated by commas.");
  static final Setting<DataPlane> DATA_PLANE =
      setting(
          "kafka.data-plane",
          "",
          Forms.oneOf(DataPlane.class),
          KafkaConfig.defaults().dataPlane(),
          "Whether records move by Kafka's protocol, batch by batch (direct), or by its official"
              + " consumer and producer; may be changed between two runs.");

  /// Those that stand among the clients' properties and are none of them.
  static final Set<String> OWN_OF_KAFKA = Set.of(BOOTSTRAP.key(), DATA_PLANE.key());

  private static final EmbeddedConfig EMBEDDED = EmbeddedConfig.defaults();
  static final Setting<Path> EMBEDDED_DIRECTORY =
      new Setting<>(
          "embedded.directory",
          "--embedded",
          Forms.PATH,
          EMBEDDED.directory(),
          "Start a Kafka in this process, with its data in this directory.");
  static final Setting<Integer> EMBEDDED_PORT =
      setting(
          "embedded.port",
          "",
          Forms.number(0, MAX_PORT),
          EMBEDDED.port(),
          "Where that Kafka listens, on 127.0.0.1; 0 for a free port.");

  private static final PlacementConfig PLACEMENT = PlacementConfig.defaults();
  static final Setting<Integer> CONTAINER =
      setting(
          "placement.container",
          "--container",
          Forms.number(0, Integer.MAX_VALUE),
          PLACEMENT.container(),
          "Which container this process is, from 0.");
  static final Setting<Integer> CONTAINERS =
      setting(
          "placement.containers",
          "--containers",
          Forms.number(1, Integer.MAX_VALUE),
          PLACEMENT.containers(),
          "How many containers there are; the same in every process.");
  static final Setting<Integer> WORKERS =
      setting(
          "placement.workers",
          "--workers",
          Forms.number(1, Integer.MAX_VALUE),
          PLACEMENT.workers(),
          "Threads of a container; the same in every process.");
  static final Setting<Boolean> TAKE_OVER =
      setting(
          "placement.take-over",
          "--take-over",
          Forms.SWITCH,
          PLACEMENT.takeOver(),
          "Take the container from a process that runs it.");
  static final Setting<PlacementConfig.Exchanges> EXCHANGES =
      setting(
          "placement.exchanges",
          "",
          Forms.oneOf(PlacementConfig.Exchanges.class),
          PLACEMENT.exchanges(),
          "Whether records that are grouped anew go through topics or, as a preview and with one"
              + " container, through its memory; may be changed between two runs.");

  private static final CommitConfig COMMIT = CommitConfig.defaults();
  static final Setting<Duration> COMMIT_INTERVAL =
      setting(
          "commit.interval",
          "",
          SOME_TIME,
          COMMIT.interval(),
          "The longest time between two commits while there is something to commit.");
  static final Setting<Duration> LATENCY_TARGET =
      setting(
          "commit.latency-target",
          "",
          SOME_TIME,
          COMMIT.latencyTarget(),
          "How long a record should take until what it caused is committed; commits come as often"
              + " as that needs, within commit.interval.");
  static final Setting<Guarantee> GUARANTEE =
      setting(
          "commit.guarantee",
          "",
          Forms.oneOf(Guarantee.class),
          COMMIT.guarantee(),
          "Whether an output may be written again after a failure; state is exact in any case.");
  static final Setting<Duration> TRANSACTION_TIMEOUT =
      setting(
          "commit.transaction-timeout",
          "",
          SOME_TIME.only(
              SOME_TIME.expected() + " and at most 24d",
              timeout -> timeout.compareTo(CommitConfig.LONGEST_TRANSACTION) <= 0),
          COMMIT.transactionTimeout(),
          "When the broker gives up the transaction of a process that hangs; brokers allow 15m"
              + " unless transaction.max.timeout.ms says otherwise.");

  private static final Form<Long> SOME_MEMORY =
      Forms.SIZE.only(Forms.SIZE.expected() + ", above 0", bytes -> bytes > 0);
  private static final MemoryConfig MEMORY = MemoryConfig.defaults();
  static final Setting<Long> MEMORY_BUDGET =
      new Setting<>(
          "memory.budget",
          "--memory",
          SOME_MEMORY,
          MEMORY.budget(),
          "Memory for all that grows with the load: state, caches, what was fetched and what is to"
              + " be sent; if not said, as much as heap and limit allow.");
  static final Setting<Long> MEMORY_LIMIT =
      new Setting<>(
          "memory.limit",
          "",
          SOME_MEMORY,
          MEMORY.limit(),
          "What the whole process may have, if that is less than its container or machine has.");

  private static final StateConfig STATE = StateConfig.defaults();
  static final Setting<Path> STATE_DIRECTORY =
      setting(
          "state.directory",
          "",
          Forms.PATH,
          STATE.directory(),
          "Local state of every application on this host; private to the user.");
  static final Setting<Duration> FLUSH_INTERVAL =
      setting(
          "state.flush-interval",
          "",
          SOME_TIME,
          STATE.flushInterval(),
          "The longest time between two flushes of a task's state to disk.");
  static final Setting<StateConfig.Storage> STORAGE =
      setting(
          "state.storage",
          "",
          Forms.oneOf(StateConfig.Storage.class),
          STATE.storage(),
          "What lies below the caches: the disk, or memory outside the heap, which each start"
              + " restores from the changelog.");
  static final Setting<String> ACCEPT =
      setting(
          "state.accept",
          "",
          Forms.TEXT,
          STATE.accept(),
          "The code, which a refused start tells, of a change of the program that this state goes"
              + " on with: key functions that give what they gave, or another time to live.");

  private static final SizeLimits SIZES = STATE.sizes();
  static final Setting<Integer> MAX_KEY =
      setting(
          "state.max-key",
          "",
          Forms.LIMIT,
          SIZES.keyBytes(),
          "The largest key of a store; the changelog topic must take it with the largest value.");
  static final Setting<Integer> MAX_VALUE =
      setting(
          "state.max-value",
          "",
          Forms.LIMIT,
          SIZES.valueBytes(),
          "The largest value of a store; the changelog topic must take it with the largest key.");
  static final Setting<Map<String, Integer>> MAX_VALUE_OF =
      setting(
          "state.max-value-of",
          "",
          Forms.LIMITS,
          SIZES.stores(),
          "The same of some stores, or of all stores of an operator, such as"
              + " orders=8MB,offers=2MB.");
  static final Setting<Integer> MAX_RECORD =
      setting(
          "exchanges.max-record",
          "",
          Forms.LIMIT,
          SIZES.recordBytes(),
          "The largest record in an exchange, key, value and headers together; its topic must take"
              + " it.");
  static final Setting<Map<String, Integer>> MAX_RECORD_OF =
      setting(
          "exchanges.max-record-of",
          "",
          Forms.LIMITS,
          SIZES.exchanges(),
          "The same of some exchanges, such as by-customer=8MB.");

  private static final RecoveryConfig RECOVERY = RecoveryConfig.defaults();
  static final Setting<Duration> RECOVERY_TARGET =
      setting(
          "recovery.target",
          "",
          SOME_TIME,
          RECOVERY.target(),
          "How long the job may take to be back after a crash, without the start of the JVM;"
              + " decides how often state is flushed to disk.");
  static final Setting<Compaction> COMPACTION =
      setting(
          "recovery.compaction",
          "",
          Forms.oneOf(Compaction.class),
          RECOVERY.compaction(),
          "How eagerly the broker should compact the changelog, which a restore without local state"
              + " reads as a whole.");
  static final Setting<Boolean> MANAGE_TOPICS =
      setting(
          "recovery.manage-topics",
          "",
          Forms.SWITCH,
          RECOVERY.manageTopics(),
          "Set that on the changelog topic, or else only recommend it.");

  private static final SnapshotConfig SNAPSHOTS = SnapshotConfig.defaults();
  static final Setting<Path> SNAPSHOT_STORE =
      new Setting<>(
          "snapshots.store",
          "",
          Forms.PATH,
          SNAPSHOTS.store(),
          "A folder that all hosts share, for snapshots of local state; nothing for none.");
  static final Setting<Duration> SNAPSHOT_INTERVAL =
      setting(
          "snapshots.interval",
          "",
          SOME_TIME,
          SNAPSHOTS.interval(),
          "The shortest time between two snapshots of a task.");

  private static final InputConfig INPUT = InputConfig.defaults();
  static final Setting<Start> START =
      new Setting<>(
          "input.start",
          "--start",
          Forms.START,
          INPUT.start(),
          "Where a new application begins to read, if its sources do not say.");
  static final Setting<Duration> IDLE_AFTER =
      setting(
          "input.idle-after",
          "",
          SOME_TIME,
          INPUT.idleAfter(),
          "How long a partition must have stood at its end to hold back nobody's event time.");

  static final Setting<Duration> ALIGNMENT =
      setting(
          "input.alignment",
          "",
          SOME_TIME,
          INPUT.alignment(),
          "By how much event time an input may be ahead of another one that has records to read.");

  private static final ErrorConfig ERRORS = ErrorConfig.defaults();
  static final Setting<OnError> ON_ERROR =
      setting(
          "errors.on-error",
          "",
          Forms.oneOf(OnError.class),
          ERRORS.onError(),
          "What happens to a record that cannot be processed.");
  static final Setting<String> DEAD_LETTERS =
      setting(
          "errors.dead-letter-topic",
          "",
          Forms.TEXT,
          ERRORS.deadLetterTopic(),
          "Where such records go with dead-letter; empty for APPLICATION-dead-letters.");
  static final Setting<Set<RecordPlace>> SKIP =
      setting(
          "errors.skip",
          "--skip",
          Forms.PLACES,
          ERRORS.skip(),
          "Records to pass over; may be given several times.");

  static final Setting<Boolean> CREATE_TOPICS =
      setting(
          "topics.create",
          "",
          Forms.SWITCH,
          TopicsConfig.defaults().create(),
          "Create topics that are missing, or else print the commands that would.");
  static final Setting<Integer> HTTP_PORT =
      setting(
          "http.port",
          "--http",
          Forms.number(-1, MAX_PORT),
          HttpConfig.defaults().port(),
          "Metrics and health by HTTP; 0 for a free port, -1 for none.");
  static final Setting<String> HTTP_HOST =
      setting(
          "http.host",
          "",
          Forms.TEXT,
          HttpConfig.defaults().host(),
          "The address they are served on; 0.0.0.0 for all of this machine, which needs a token.");
  static final Setting<String> HTTP_TOKEN =
      setting(
          "http.token",
          "",
          Forms.TEXT,
          HttpConfig.defaults().token(),
          "What a request for metrics must show as 'Authorization: Bearer TOKEN'; nothing for"
              + " none.");
  static final Setting<Duration> STOP_TIMEOUT =
      setting(
          "stop.timeout",
          "",
          SOME_TIME,
          StopConfig.defaults().timeout(),
          "How long the last commit may take when the job is told to stop.");

  /// In the order in which they are shown.
  static final List<Setting<?>> ALL =
      List.of(
          BOOTSTRAP,
          DATA_PLANE,
          EMBEDDED_DIRECTORY,
          EMBEDDED_PORT,
          CONTAINER,
          CONTAINERS,
          WORKERS,
          TAKE_OVER,
          EXCHANGES,
          COMMIT_INTERVAL,
          LATENCY_TARGET,
          GUARANTEE,
          TRANSACTION_TIMEOUT,
          MEMORY_BUDGET,
          MEMORY_LIMIT,
          STATE_DIRECTORY,
          STORAGE,
          ACCEPT,
          FLUSH_INTERVAL,
          MAX_KEY,
          MAX_VALUE,
          MAX_VALUE_OF,
          MAX_RECORD,
          MAX_RECORD_OF,
          RECOVERY_TARGET,
          COMPACTION,
          MANAGE_TOPICS,
          SNAPSHOT_STORE,
          SNAPSHOT_INTERVAL,
          START,
          IDLE_AFTER,
          ALIGNMENT,
          ON_ERROR,
          DEAD_LETTERS,
          SKIP,
          CREATE_TOPICS,
          HTTP_PORT,
          HTTP_HOST,
          HTTP_TOKEN,
          STOP_TIMEOUT);

  /// What stands for a setting that there was.
  static final Map<String, Setting<?>> SUCCESSORS = Map.of("state.cache", MEMORY_BUDGET);

  static final Map<String, Setting<?>> BY_KEY = byKey();

  private Settings() {}

  private static <T> Setting<T> setting(
      String key, String flag, Form<T> form, T byDefault, String about) {
    return new Setting<>(key, flag, form, byDefault, about);
  }

  private static Map<String, Setting<?>> byKey() {
    Map<String, Setting<?>> all = new LinkedHashMap<>();
    ALL.forEach(setting -> all.put(setting.key(), setting));
    return all;
  }
}
