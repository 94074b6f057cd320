package dev.millrace.beam.validation;

import dev.millrace.beam.MillracePipelineOptions;
import dev.millrace.beam.MillraceResult;
import dev.millrace.beam.MillraceRunner;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineRunner;
import org.apache.beam.sdk.options.PipelineOptions;
import org.joda.time.Duration;

/// Runs pipelines of tests as users do, each as an application of its own, and waits for its end.
public final class WaitingRunner extends PipelineRunner<MillraceResult> {
  private static final Duration PATIENCE = Duration.standardMinutes(5);
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final PipelineOptions options;

  private WaitingRunner(PipelineOptions options) {
    this.options = options;
  }

  /// Returns a runner with options; called by Beam.
  public static WaitingRunner fromOptions(PipelineOptions options) {
    options.setJobName("test-" + COUNT.incrementAndGet());
    return new WaitingRunner(options);
  }

  @Override
  public MillraceResult run(Pipeline pipeline) {
    MillraceResult result =
        MillraceRunner.fromOptions(options.as(MillracePipelineOptions.class)).run(pipeline);
    try {
      if (result.waitUntilFinish(PATIENCE) == null) {
        throw new IllegalStateException("The pipeline has not ended within " + PATIENCE);
      }
    } finally {
      result.job().close();
    }
    return result;
  }
}
