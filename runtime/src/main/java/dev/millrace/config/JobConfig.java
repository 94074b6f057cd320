package dev.millrace.config;

import dev.millrace.spi.settings.ChangeConfig;
import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.spi.settings.ErrorConfig;
import dev.millrace.spi.settings.InputConfig;
import dev.millrace.spi.settings.RecoveryConfig;
import dev.millrace.spi.settings.SnapshotConfig;
import dev.millrace.spi.settings.StateConfig;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// All settings of a job: one record for each concern. Immutable.
///
/// ```java
/// JobConfig config =
///     JobConfig.of("localhost:9092")
///         .withCommit(CommitConfig.defaults().withInterval(Duration.ofMillis(20)));
/// ```
public final class JobConfig {
  private static final JobConfig DEFAULTS =
      new JobConfig(
          List.of(
              LogConfig.defaults(),
              KafkaConfig.defaults(),
              ClusterConfig.defaults(),
              PlacementConfig.defaults(),
              CommitConfig.defaults(),
              MemoryConfig.defaults(),
              StateConfig.defaults(),
              ChangeConfig.defaults(),
              RecoveryConfig.defaults(),
              SnapshotConfig.defaults(),
              InputConfig.defaults(),
              ErrorConfig.defaults(),
              TopicsConfig.defaults(),
              HttpConfig.defaults(),
              StopConfig.defaults()));

  /// One of each concern, by its class.
  private final Map<Class<?>, Record> concerns = new LinkedHashMap<>();

  private JobConfig(Iterable<Record> concerns) {
    concerns.forEach(each -> this.concerns.put(each.getClass(), each));
  }

  /// Returns defaults for everything, the missing address of Kafka among them.
  public static JobConfig defaults() {
    return DEFAULTS;
  }

  /// Returns defaults for everything but the address of Kafka.
  ///
  /// @param bootstrap addresses of brokers, `host:port`, separated by commas
  public static JobConfig of(String bootstrap) {
    return defaults().withKafka(KafkaConfig.of(bootstrap));
  }

  private <C extends Record> C of(Class<C> concern) {
    return Objects.requireNonNull(concern.cast(concerns.get(concern)));
  }

  private JobConfig with(Record concern) {
    JobConfig copy = new JobConfig(concerns.values());
    copy.concerns.put(concern.getClass(), concern);
    return copy;
  }

  /// Returns which log carries the records.
  public LogConfig log() {
    return of(LogConfig.class);
  }

  /// Returns a copy with another log.
  public JobConfig withLog(LogConfig log) {
    return with(log);
  }

  /// Returns where Kafka is and how to talk to it.
  public KafkaConfig kafka() {
    return of(KafkaConfig.class);
  }

  /// Returns a copy with another Kafka.
  public JobConfig withKafka(KafkaConfig kafka) {
    return with(kafka);
  }

  /// Returns whether there is a Kafka in this process: a part of [#kafka].
  public EmbeddedConfig embedded() {
    return kafka().embedded();
  }

  /// Returns a copy with or without a Kafka in this process.
  public JobConfig withEmbedded(EmbeddedConfig embedded) {
    return withKafka(kafka().withEmbedded(embedded));
  }

  /// Returns how processes of the application know which of them live.
  public ClusterConfig cluster() {
    return of(ClusterConfig.class);
  }

  /// Returns a copy with another way of knowing that.
  public JobConfig withCluster(ClusterConfig cluster) {
    return with(cluster);
  }

  /// Returns which part of the job this process runs.
  public PlacementConfig placement() {
    return of(PlacementConfig.class);
  }

  /// Returns a copy for another part of the job.
  public JobConfig withPlacement(PlacementConfig placement) {
    return with(placement);
  }

  /// Returns when results become visible.
  public CommitConfig commit() {
    return of(CommitConfig.class);
  }

  /// Returns a copy with other commits.
  public JobConfig withCommit(CommitConfig commit) {
    return with(commit);
  }

  /// Returns how much memory the job may use.
  public MemoryConfig memory() {
    return of(MemoryConfig.class);
  }

  /// Returns a copy with other limits of memory.
  public JobConfig withMemory(MemoryConfig memory) {
    return with(memory);
  }

  /// Returns where local state is kept.
  public StateConfig state() {
    return of(StateConfig.class);
  }

  /// Returns a copy with local state elsewhere.
  public JobConfig withState(StateConfig state) {
    return with(state);
  }

  /// Returns which change of the program may be run over the state; `change.*` in the settings.
  public ChangeConfig change() {
    return of(ChangeConfig.class);
  }

  /// Returns a copy with another accepted change.
  public JobConfig withChange(ChangeConfig change) {
    return with(change);
  }

  /// Returns how fast the job must be back after a crash.
  public RecoveryConfig recovery() {
    return of(RecoveryConfig.class);
  }

  /// Returns a copy with another recovery.
  public JobConfig withRecovery(RecoveryConfig recovery) {
    return with(recovery);
  }

  /// Returns whether and when snapshots are taken.
  public SnapshotConfig snapshots() {
    return of(SnapshotConfig.class);
  }

  /// Returns a copy with other snapshots.
  public JobConfig withSnapshots(SnapshotConfig snapshots) {
    return with(snapshots);
  }

  /// Returns how streams are read.
  public InputConfig input() {
    return of(InputConfig.class);
  }

  /// Returns a copy that reads streams in another way.
  public JobConfig withInput(InputConfig input) {
    return with(input);
  }

  /// Returns what happens to a record that cannot be processed.
  public ErrorConfig errors() {
    return of(ErrorConfig.class);
  }

  /// Returns a copy that handles records that cannot be processed in another way.
  public JobConfig withErrors(ErrorConfig errors) {
    return with(errors);
  }

  /// Returns what happens to topics that do not exist.
  public TopicsConfig topics() {
    return of(TopicsConfig.class);
  }

  /// Returns a copy that handles missing topics in another way.
  public JobConfig withTopics(TopicsConfig topics) {
    return with(topics);
  }

  /// Returns the address for metrics and health.
  public HttpConfig http() {
    return of(HttpConfig.class);
  }

  /// Returns a copy with another address for metrics and health.
  public JobConfig withHttp(HttpConfig http) {
    return with(http);
  }

  /// Returns how a job ends that is told to.
  public StopConfig stop() {
    return of(StopConfig.class);
  }

  /// Returns a copy that ends in another way.
  public JobConfig withStop(StopConfig stop) {
    return with(stop);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof JobConfig config && concerns.equals(config.concerns);
  }

  @Override
  public int hashCode() {
    return concerns.hashCode();
  }

  /// Shows every setting, secrets masked.
  @Override
  public String toString() {
    return "JobConfig" + concerns.values();
  }
}
