package dev.millrace.benchmarks.nexmark;

import dev.millrace.BuildVersion;
import dev.millrace.Job;
import dev.millrace.JobFailure;
import dev.millrace.Millrace;
import dev.millrace.TaskProgress;
import dev.millrace.api.StreamApplication;
import dev.millrace.benchmarks.nexmark.app.GeneratedEvents;
import dev.millrace.benchmarks.nexmark.app.NexmarkApplication;
import dev.millrace.benchmarks.nexmark.app.TalliedResults;
import dev.millrace.benchmarks.nexmark.app.TopicEvents;
import dev.millrace.benchmarks.nexmark.app.TopicResults;
import dev.millrace.benchmarks.nexmark.generator.Generator;
import dev.millrace.benchmarks.nexmark.model.Tally;
import dev.millrace.benchmarks.nexmark.peer.NexmarkMain;
import dev.millrace.benchmarks.nexmark.peer.NexmarkPeer;
import dev.millrace.benchmarks.nexmark.peer.NexmarkWork;
import dev.millrace.benchmarks.nexmark.query.Queries;
import dev.millrace.benchmarks.nexmark.query.Query;
import dev.millrace.config.JobConfig;
import dev.millrace.config.KafkaConfig;
import dev.millrace.config.MemoryConfig;
import dev.millrace.config.PlacementConfig;
import dev.millrace.config.PlacementConfig.Exchanges;
import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.spi.settings.RecoveryConfig;
import dev.millrace.spi.settings.StateConfig;
import dev.millrace.spi.settings.StateConfig.Storage;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Millrace as one engine among others.
public final class MillraceNexmark implements NexmarkPeer {
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  /// How much of the input others process again after a crash: checkpoints come so often.
  private static final Duration RECOVERY = Duration.ofSeconds(10);

  /// The cache has two sevenths of all memory.
  private static final int SEVENTHS = 7;

  private @Nullable Job job;

  private MillraceNexmark() {}

  public static void main(String[] args) throws Exception {
    NexmarkMain.run(MillraceNexmark::new, args);
  }

  @Override
  public String version() {
    return BuildVersion.text();
  }

  @Override
  public String settings(NexmarkWork work) {
    return "exactly-once, commit.interval=%s, recovery.target=%s, placement.exchanges=direct, state %s, with changelog"
        .formatted(INTERVAL, RECOVERY, work.topics().none() ? "in memory" : "on disk");
  }

  @Override
  public void start(NexmarkWork work, Tally results) {
    JobConfig config =
        JobConfig.defaults()
            .withKafka(KafkaConfig.of(work.bootstrap()))
            .withCommit(CommitConfig.defaults().withInterval(INTERVAL))
            .withRecovery(
                RecoveryConfig.defaults()
                    .withTarget(RECOVERY)
                    .withCompaction(RecoveryConfig.Compaction.NONE))
            .withState(
                StateConfig.in(work.state())
                    .withStorage(work.topics().none() ? Storage.MEMORY : Storage.DISK))
            .withMemory(MemoryConfig.of(work.cacheBytes() * SEVENTHS / 2))
            .withPlacement(
                PlacementConfig.defaults()
                    .withWorkers(work.threads())
                    .withExchanges(Exchanges.DIRECT));
    job = Millrace.start(application(work, Queries.of(work.query()), results), config);
  }

  private static <R> StreamApplication application(
      NexmarkWork work, Query<R> query, Tally results) {
    if (work.topics().none()) {
      Generator generator = new Generator(work.events());
      return new NexmarkApplication<>(
          work.name(),
          query,
          topology -> new GeneratedEvents(topology, generator, work.splits()),
          new TalliedResults<>(query, results, work.name() + "-nothing"));
    }
    return new NexmarkApplication<>(
        work.name(),
        query,
        topology -> new TopicEvents(topology, work.topics().input()),
        new TopicResults<>(query, work.topics().output()));
  }

  private Job running() {
    Job running = Objects.requireNonNull(job);
    JobFailure failure = running.failure();
    if (failure != null) {
      throw new IllegalStateException(failure.message());
    }
    return running;
  }

  @Override
  public long processed() {
    return running().metrics().progress().stream()
        .filter(task -> task.stage() == 0)
        .mapToLong(TaskProgress::processed)
        .sum();
  }

  @Override
  public boolean ended() {
    return running().state().isFinal();
  }

  @Override
  public void stop() {
    Job running = job;
    if (running != null) {
      running.close();
    }
  }
}
