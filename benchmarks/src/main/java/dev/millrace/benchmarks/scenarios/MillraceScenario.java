package dev.millrace.benchmarks.scenarios;

import dev.millrace.BuildVersion;
import dev.millrace.Job;
import dev.millrace.JobFailure;
import dev.millrace.TaskProgress;
import dev.millrace.api.connector.Start;
import dev.millrace.benchmarks.commit.WithoutChangelog;
import dev.millrace.benchmarks.process.WrappedJob;
import dev.millrace.config.JobConfig;
import dev.millrace.config.KafkaConfig;
import dev.millrace.config.MemoryConfig;
import dev.millrace.config.PlacementConfig;
import dev.millrace.config.PlacementConfig.Exchanges;
import dev.millrace.internal.engine.settings.Surroundings;
import dev.millrace.kafka.DataPlane;
import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.spi.settings.Guarantee;
import dev.millrace.spi.settings.InputConfig;
import dev.millrace.spi.settings.RecoveryConfig;
import dev.millrace.spi.settings.StateConfig;
import dev.millrace.spi.settings.StateConfig.Storage;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Millrace as one engine among others.
public final class MillraceScenario implements ScenarioPeer {
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  /// How much of the input others process again after a crash: checkpoints come so often.
  private static final Duration RECOVERY = Duration.ofSeconds(10);

  /// The cache has two sevenths of all memory.
  private static final int SEVENTHS = 7;

  private @Nullable Job job;

  /// Of the tasks whose records count: behind the exchange, if there is one.
  private int stage;

  private MillraceScenario() {}

  public static void main(String[] args) throws Exception {
    ScenarioMain.run(MillraceScenario::new, args);
  }

  @Override
  public String version() {
    return BuildVersion.text();
  }

  @Override
  public String settings(Assignment assignment) {
    CommitConfig commit = commit(assignment);
    return "%s, kafka.data-plane=%s, placement.exchanges=%s, commit.interval=%s, commit.latency-target=%s, recovery.target=%s, state %s"
        .formatted(
            commit.guarantee().name().toLowerCase(Locale.ROOT).replace('_', '-'),
            plane(assignment).name().toLowerCase(Locale.ROOT),
            exchanges(assignment).name().toLowerCase(Locale.ROOT),
            commit.interval(),
            commit.latencyTarget(),
            RECOVERY,
            switch (assignment.scenario()) {
              case PASS -> "none";
              case COUNT_MEMORY, EXCHANGE -> "in memory, with changelog";
              case COUNT_DISK -> "on disk, without changelog";
              case COUNT_DISK_CHANGELOG -> "on disk, with changelog";
            });
  }

  private static DataPlane plane(Assignment assignment) {
    return assignment.mode().equals("official") ? DataPlane.OFFICIAL : DataPlane.DIRECT;
  }

  private static Exchanges exchanges(Assignment assignment) {
    return assignment.mode().equals("direct-exchanges") ? Exchanges.DIRECT : Exchanges.TOPICS;
  }

  private static CommitConfig commit(Assignment assignment) {
    CommitConfig defaults =
        assignment.mode().equals("at-least-once")
            ? CommitConfig.defaults().withGuarantee(Guarantee.AT_LEAST_ONCE)
            : CommitConfig.defaults();
    return assignment.soon() ? defaults : defaults.withInterval(INTERVAL);
  }

  @Override
  public void start(Assignment assignment) {
    Scenario scenario = assignment.scenario();
    JobConfig config =
        JobConfig.defaults()
            .withKafka(KafkaConfig.of(assignment.bootstrap()).withDataPlane(plane(assignment)))
            .withCommit(commit(assignment))
            .withRecovery(
                RecoveryConfig.defaults()
                    .withTarget(RECOVERY)
                    .withCompaction(RecoveryConfig.Compaction.NONE))
            .withState(
                StateConfig.in(assignment.state())
                    .withStorage(scenario.onDisk() ? Storage.DISK : Storage.MEMORY))
            .withMemory(MemoryConfig.of(assignment.cacheBytes() * SEVENTHS / 2))
            .withInput(InputConfig.defaults().withStart(Start.earliest()))
            .withPlacement(
                PlacementConfig.defaults()
                    .withWorkers(assignment.threads())
                    .withExchanges(exchanges(assignment)));
    UnaryOperator<Surroundings> around =
        scenario == Scenario.COUNT_DISK
            ? seen -> WithoutChangelog.around(seen, assignment.job() + "-changelog")
            : UnaryOperator.identity();
    stage = scenario == Scenario.EXCHANGE ? 1 : 0;
    job = WrappedJob.start(new ScenarioApplication(assignment), config, around);
  }

  @Override
  public long processed() {
    Job running = Objects.requireNonNull(job);
    JobFailure failure = running.failure();
    if (failure != null) {
      throw new IllegalStateException(failure.message());
    }
    return running.metrics().progress().stream()
        .filter(task -> task.stage() == stage)
        .mapToLong(TaskProgress::processed)
        .sum();
  }

  @Override
  public void stop() {
    Job running = job;
    if (running != null) {
      running.close();
    }
  }
}
