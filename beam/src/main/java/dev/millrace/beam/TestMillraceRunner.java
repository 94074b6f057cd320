package dev.millrace.beam;

import dev.millrace.internal.beam.metrics.RunMetrics;
import dev.millrace.internal.beam.operators.RunContext;
import dev.millrace.internal.beam.run.Causes;
import dev.millrace.internal.beam.run.Crashes;
import dev.millrace.internal.beam.run.Stepping;
import dev.millrace.internal.beam.run.TestClock;
import dev.millrace.internal.beam.translate.Overrides;
import dev.millrace.internal.beam.translate.Translator;
import dev.millrace.internal.engine.commit.Failure;
import java.util.concurrent.TimeUnit;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.PipelineResult.State;
import org.apache.beam.sdk.PipelineRunner;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsValidator;
import org.apache.beam.sdk.testing.TestPipelineOptions;

/// Runs pipelines of tests in the thread of the test, on a log in memory; and lets them die there,
/// if they are to ([MillracePipelineOptions#getCrashSeed]).
public final class TestMillraceRunner extends PipelineRunner<PipelineResult> {
  private final MillracePipelineOptions options;

  private TestMillraceRunner(MillracePipelineOptions options) {
    this.options = options;
  }

  /// Returns a runner with options; called by Beam.
  public static TestMillraceRunner fromOptions(PipelineOptions options) {
    Overrides.prepare(options);
    return new TestMillraceRunner(
        PipelineOptionsValidator.validate(MillracePipelineOptions.class, options));
  }

  /// Runs a pipeline to its end.
  @Override
  public PipelineResult run(Pipeline pipeline) {
    Overrides.apply(pipeline);
    RunMetrics metrics = new RunMetrics();
    TestClock clock = new TestClock();
    try (Stepping run =
        new Stepping(
            "beam-test",
            Translator.translate(
                pipeline, new RunContext(metrics, clock), options.getParallelism()),
            clock,
            crashes())) {
      Failure failure = run.run(patienceNanos());
      if (failure != null) {
        throw Causes.failed(failure.cause(), failure.message());
      }
      if (!run.completed()) {
        throw new IllegalStateException(
            "The pipeline has not ended within %d s (--testTimeoutSeconds)."
                .formatted(TimeUnit.NANOSECONDS.toSeconds(patienceNanos())));
      }
      return new EndedResult(State.DONE, metrics.results());
    }
  }

  private Crashes crashes() {
    Long seed = options.getCrashSeed();
    return seed == null ? Crashes.NONE : Crashes.drawn(seed);
  }

  private long patienceNanos() {
    Long seconds = options.as(TestPipelineOptions.class).getTestTimeoutSeconds();
    return seconds == null ? Long.MAX_VALUE / 2 : TimeUnit.SECONDS.toNanos(seconds);
  }
}
