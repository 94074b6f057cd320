package dev.millrace.benchmarks.peer;

import dev.millrace.Job;
import dev.millrace.JobFailure;
import dev.millrace.JobState;
import dev.millrace.Millrace;
import dev.millrace.TaskProgress;
import dev.millrace.api.connector.Start;
import dev.millrace.benchmarks.recovery.PaddedCounts;
import dev.millrace.config.JobConfig;
import dev.millrace.config.PlacementConfig;
import dev.millrace.spi.settings.CommitConfig;
import dev.millrace.spi.settings.InputConfig;
import dev.millrace.spi.settings.SnapshotConfig;
import dev.millrace.spi.settings.StateConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// Millrace as one engine among others.
public final class MillracePeer implements Peer {
  private static final Duration SNAPSHOT_INTERVAL = Duration.ofSeconds(10);

  private final boolean snapshots;
  private @Nullable Job job;
  private long engineNanos;
  private long restoredNanos;

  private MillracePeer(boolean snapshots) {
    this.snapshots = snapshots;
  }

  /// Restores from its changelog.
  static final class FromChangelog {
    private FromChangelog() {}

    public static void main(String[] args) throws Exception {
      PeerMain.run(new MillracePeer(false), args);
    }
  }

  /// Restores from snapshots in a folder, and the tail of its changelog.
  static final class FromSnapshots {
    private FromSnapshots() {}

    public static void main(String[] args) throws Exception {
      PeerMain.run(new MillracePeer(true), args);
    }
  }

  @Override
  public String version() {
    return "Millrace";
  }

  @Override
  public String settings() {
    return "commit.interval=1s" + (snapshots ? ", snapshots.interval=10s" : "");
  }

  @Override
  public void start(Work work) throws IOException {
    JobConfig config =
        JobConfig.of(work.bootstrap())
            .withState(StateConfig.in(work.state()))
            .withCommit(CommitConfig.defaults().withInterval(Duration.ofSeconds(1)))
            .withInput(InputConfig.defaults().withStart(Start.earliest()))
            .withPlacement(PlacementConfig.defaults().withWorkers(work.threads()));
    if (snapshots) {
      Files.createDirectories(work.saved());
      config =
          config.withSnapshots(
              SnapshotConfig.defaults().withStore(work.saved()).withInterval(SNAPSHOT_INTERVAL));
    }
    String name = snapshots ? "counts-snapshots" : "counts";
    job = Millrace.start(new PaddedCounts(name, work.topic()), config);
  }

  private Job job() {
    return Objects.requireNonNull(job);
  }

  private List<TaskProgress> tasks() {
    return job().metrics().progress();
  }

  @Override
  public long processed() {
    JobFailure failure = job().failure();
    if (failure != null) {
      throw new IllegalStateException(failure.message());
    }
    if (engineNanos == 0 && !tasks().isEmpty()) {
      engineNanos = System.nanoTime();
    }
    if (restoredNanos == 0 && job().state() == JobState.RUNNING) {
      restoredNanos = System.nanoTime();
    }
    return job().metrics().processed();
  }

  @Override
  public boolean everyTaskProcesses() {
    return !tasks().isEmpty() && tasks().stream().allMatch(task -> task.processed() > 0);
  }

  @Override
  public OptionalLong saves() {
    return snapshots
        ? OptionalLong.of(tasks().stream().mapToLong(TaskProgress::snapshots).min().orElse(0))
        : OptionalLong.empty();
  }

  @Override
  public @Nullable Restore restore() {
    // What is known of a replay leaves out the fetching of a snapshot; this holds the fencing too.
    return snapshots
        ? new Restore(Duration.ofNanos(restoredNanos - engineNanos), -1)
        : new Restore(job().metrics().lastRestore(), job().metrics().restored());
  }

  @Override
  public void stop() {
    Job running = job;
    if (running != null) {
      running.close();
    }
  }
}
