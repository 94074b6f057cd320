package dev.millrace.beam.portable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.UUID;
import org.apache.beam.model.jobmanagement.v1.JobApi.JobState;
import org.apache.beam.runners.core.metrics.MetricsContainerStepMap;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.PipelineResult;
import org.apache.beam.sdk.PipelineRunner;
import org.apache.beam.sdk.metrics.MetricResults;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.runners.PipelineRunnerRegistrar;
import org.joda.time.Duration;

/// Runs pipelines of Beam's tests for Java on a job server in this process, which all of them
/// share.
public final class PortableTestRunner extends PipelineRunner<PipelineResult> {
  private final PipelineOptions options;

  private PortableTestRunner(PipelineOptions options) {
    this.options = options;
  }

  /// Returns a runner with options; called by Beam.
  public static PortableTestRunner fromOptions(PipelineOptions options) {
    return new PortableTestRunner(options);
  }

  /// Makes the runner known to Beam, which finds this class by itself.
  public static final class Registrar implements PipelineRunnerRegistrar {
    @Override
    public Iterable<Class<? extends PipelineRunner<?>>> getPipelineRunners() {
      return List.of(PortableTestRunner.class);
    }
  }

  /// The job server, which is started when it is needed first.
  private static final class Shared {
    static final JobServer SERVER = start();

    private static JobServer start() {
      try {
        return JobServer.start(
            JobServerOptions.of(
                List.of("--port=0", "--settings=http.port=-1", "--settings=log=memory")));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /// Runs a pipeline to its end.
  @Override
  public PipelineResult run(Pipeline pipeline) {
    options.setJobName("test-" + UUID.randomUUID());
    try (Client client = new Client(Shared.SERVER.port())) {
      String job = client.start(pipeline);
      JobState.Enum state = client.states(job).getLast();
      if (state != JobState.Enum.DONE) {
        throw new Pipeline.PipelineExecutionException(
            new IllegalStateException(String.valueOf(client.messages(job))));
      }
      return new Result(
          MetricsContainerStepMap.asAttemptedOnlyMetricResults(new MetricsContainerStepMap()));
    }
  }

  /// The result of a pipeline that has ended well.
  private record Result(MetricResults metrics) implements PipelineResult {
    @Override
    public State getState() {
      return State.DONE;
    }

    @Override
    public State cancel() {
      return State.DONE;
    }

    @Override
    public State waitUntilFinish(Duration atMost) {
      return State.DONE;
    }

    @Override
    public State waitUntilFinish() {
      return State.DONE;
    }
  }
}
