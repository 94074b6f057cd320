package dev.millrace.beam;

import dev.millrace.Job;
import dev.millrace.JobFailure;
import dev.millrace.internal.beam.metrics.RunMetrics;
import dev.millrace.internal.beam.run.Causes;
import java.io.IOException;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.metrics.MetricResults;
import org.joda.time.Duration;
import org.jspecify.annotations.Nullable;

/// A pipeline that runs, or has run. Thread-safe.
public final class MillraceResult implements PipelineResult {
  private static final java.time.Duration PATIENCE = java.time.Duration.ofMinutes(1);

  private final Job job;
  private final RunMetrics metrics;

  MillraceResult(Job job, RunMetrics metrics) {
    this.job = job;
    this.metrics = metrics;
  }

  /// Returns the job that the pipeline is.
  public Job job() {
    return job;
  }

  @Override
  public State getState() {
    return switch (job.state()) {
      case COMPLETED -> State.DONE;
      case STOPPED -> State.CANCELLED;
      case FAILED -> State.FAILED;
      default -> State.RUNNING;
    };
  }

  /// Commits what was processed, and ends the pipeline.
  ///
  /// @throws IOException if it has not committed within a minute
  @Override
  public State cancel() throws IOException {
    try {
      if (!job.stop(PATIENCE)) {
        throw new IOException(
            "The pipeline has not committed within %d s. Its next start processes again what was after its last commit."
                .formatted(PATIENCE.toSeconds()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while the pipeline was to end.", e);
    }
    return getState();
  }

  /// Waits until the pipeline has ended.
  ///
  /// @param atMost for how long; for ever if it is null or not positive
  /// @return the state then; null if it runs on
  /// @throws org.apache.beam.sdk.Pipeline.PipelineExecutionException if it has failed
  @Override
  @SuppressWarnings("NullAway") // as Beam has it
  public @Nullable State waitUntilFinish(@Nullable Duration atMost) {
    try {
      if (atMost == null || atMost.getMillis() <= 0) {
        job.await();
      } else if (!job.await(java.time.Duration.ofMillis(atMost.getMillis()))) {
        return null;
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return null;
    }
    JobFailure failure = job.failure();
    if (failure != null) {
      throw Causes.failed(failure.cause(), failure.message());
    }
    return getState();
  }

  @Override
  @SuppressWarnings("NullAway") // as Beam has it
  public @Nullable State waitUntilFinish() {
    return waitUntilFinish(null);
  }

  /// Returns what was counted so far, also while it runs.
  @Override
  public MetricResults metrics() {
    return metrics.results();
  }
}
