package dev.millrace.beam;

import dev.millrace.Job;
import dev.millrace.Millrace;
import dev.millrace.config.JobConfig;
import dev.millrace.internal.beam.metrics.RunMetrics;
import dev.millrace.internal.beam.operators.RunContext;
import dev.millrace.internal.beam.run.PipelineApplication;
import dev.millrace.internal.beam.run.PipelineConfig;
import dev.millrace.internal.beam.translate.Overrides;
import dev.millrace.internal.beam.translate.Translator;
import java.util.Locale;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineRunner;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsValidator;

/// Runs pipelines of Apache Beam in this process, as an application of Millrace whose name is that
/// of the job (`--jobName`).
///
/// A bounded pipeline runs in memory unless [MillracePipelineOptions#getSettings] name Kafka. On
/// Kafka its state is on disk and its results are exactly-once: the same pipeline that is started
/// again under the same name goes on where it was.
///
/// ```java
/// PipelineOptions options =
///     PipelineOptionsFactory.fromArgs("--runner=MillraceRunner", "--parallelism=4").create();
/// Pipeline pipeline = Pipeline.create(options);
/// pipeline.run().waitUntilFinish();
/// ```
public final class MillraceRunner extends PipelineRunner<MillraceResult> {
  private final MillracePipelineOptions options;

  private MillraceRunner(MillracePipelineOptions options) {
    this.options = options;
  }

  /// Returns a runner with options; called by Beam.
  public static MillraceRunner fromOptions(PipelineOptions options) {
    Overrides.prepare(options);
    return new MillraceRunner(
        PipelineOptionsValidator.validate(MillracePipelineOptions.class, options));
  }

  /// Starts a pipeline and returns at once.
  ///
  /// @throws IllegalArgumentException if the pipeline is unbounded and no setting says where its
  ///   state is kept
  /// @throws UnsupportedOperationException if it has a transform that is not known
  @Override
  public MillraceResult run(Pipeline pipeline) {
    Overrides.apply(pipeline);
    JobConfig config = PipelineConfig.of(pipeline, options.getSettings(), System.getenv());
    RunMetrics metrics = new RunMetrics();
    PipelineApplication application =
        new PipelineApplication(
            options.getJobName().toLowerCase(Locale.ROOT),
            Translator.translate(pipeline, new RunContext(metrics, null), options.getParallelism())
                .graph());
    Job job = Millrace.start(application, config);
    return new MillraceResult(job, metrics);
  }
}
