package dev.millrace.config;

import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.spi.settings.ErrorConfig;
import dev.millrace.spi.settings.InputConfig;
import dev.millrace.spi.settings.RecoveryConfig;
import dev.millrace.spi.settings.SnapshotConfig;
import dev.millrace.spi.settings.StateConfig;

/// All that a job is told from outside.
public record JobConfig(
    KafkaConfig kafka,
    PlacementConfig placement,
    CommitConfig commit,
    MemoryConfig memory,
    StateConfig state,
    RecoveryConfig recovery,
    SnapshotConfig snapshots,
    InputConfig input,
    ErrorConfig errors,
    TopicsConfig topics,
    HttpConfig http,
    StopConfig stop) {

  /// Defaults for everything, the missing address of Kafka among them.
  public static JobConfig defaults() {
    return new JobConfig(
        KafkaConfig.defaults(),
        PlacementConfig.defaults(),
        CommitConfig.defaults(),
        MemoryConfig.defaults(),
        StateConfig.defaults(),
        RecoveryConfig.defaults(),
        SnapshotConfig.defaults(),
        InputConfig.defaults(),
        ErrorConfig.defaults(),
        TopicsConfig.defaults(),
        HttpConfig.defaults(),
        StopConfig.defaults());
  }

  /// Defaults for everything but the address of Kafka.
  public static JobConfig of(String bootstrap) {
    return defaults().withKafka(KafkaConfig.of(bootstrap));
  }

  public JobConfig withKafka(KafkaConfig newKafka) {
    return new JobConfig(
        newKafka, placement, commit, memory, state, recovery, snapshots, input, errors, topics,
        http, stop);
  }

  /// Whether there is a Kafka in this process.
  public EmbeddedConfig embedded() {
    return kafka.embedded();
  }

  public JobConfig withEmbedded(EmbeddedConfig newEmbedded) {
    return withKafka(kafka.withEmbedded(newEmbedded));
  }

  public JobConfig withPlacement(PlacementConfig newPlacement) {
    return new JobConfig(
        kafka,
        newPlacement,
        commit,
        memory,
        state,
        recovery,
        snapshots,
        input,
        errors,
        topics,
        http,
        stop);
  }

  public JobConfig withCommit(CommitConfig newCommit) {
    return new JobConfig(
        kafka, placement, newCommit, memory, state, recovery, snapshots, input, errors, topics,
        http, stop);
  }

  public JobConfig withMemory(MemoryConfig newMemory) {
    return new JobConfig(
        kafka, placement, commit, newMemory, state, recovery, snapshots, input, errors, topics,
        http, stop);
  }

  public JobConfig withState(StateConfig newState) {
    return new JobConfig(
        kafka, placement, commit, memory, newState, recovery, snapshots, input, errors, topics,
        http, stop);
  }

  public JobConfig withRecovery(RecoveryConfig newRecovery) {
    return new JobConfig(
        kafka,
        placement,
        commit,
        memory,
        state,
        newRecovery,
        snapshots,
        input,
        errors,
        topics,
        http,
        stop);
  }

  public JobConfig withSnapshots(SnapshotConfig newSnapshots) {
    return new JobConfig(
        kafka,
        placement,
        commit,
        memory,
        state,
        recovery,
        newSnapshots,
        input,
        errors,
        topics,
        http,
        stop);
  }

  public JobConfig withInput(InputConfig newInput) {
    return new JobConfig(
        kafka, placement, commit, memory, state, recovery, snapshots, newInput, errors, topics,
        http, stop);
  }

  public JobConfig withErrors(ErrorConfig newErrors) {
    return new JobConfig(
        kafka, placement, commit, memory, state, recovery, snapshots, input, newErrors, topics,
        http, stop);
  }

  public JobConfig withTopics(TopicsConfig newTopics) {
    return new JobConfig(
        kafka, placement, commit, memory, state, recovery, snapshots, input, errors, newTopics,
        http, stop);
  }

  public JobConfig withHttp(HttpConfig newHttp) {
    return new JobConfig(
        kafka, placement, commit, memory, state, recovery, snapshots, input, errors, topics,
        newHttp, stop);
  }

  public JobConfig withStop(StopConfig newStop) {
    return new JobConfig(
        kafka, placement, commit, memory, state, recovery, snapshots, input, errors, topics, http,
        newStop);
  }
}
