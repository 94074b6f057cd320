package dev.millrace.internal.beam.portable.jobs;

import dev.millrace.Job;
import dev.millrace.JobFailure;
import dev.millrace.Millrace;
import dev.millrace.beam.MillracePipelineOptions;
import dev.millrace.config.JobConfig;
import dev.millrace.internal.beam.portable.stage.PipelineMetrics;
import dev.millrace.internal.beam.portable.stage.StageFailure;
import dev.millrace.internal.beam.portable.translate.PortableTranslator;
import dev.millrace.internal.beam.run.PipelineApplication;
import dev.millrace.internal.beam.run.PipelineConfig;
import dev.millrace.internal.engine.topology.TopologyGraph;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.beam.model.jobmanagement.v1.JobApi.JobMessage.MessageImportance;
import org.apache.beam.model.jobmanagement.v1.JobApi.JobState;
import org.apache.beam.model.pipeline.v1.RunnerApi;
import org.apache.beam.runners.fnexecution.control.JobBundleFactory;
import org.apache.beam.runners.fnexecution.provisioning.JobInfo;
import org.apache.beam.runners.fnexecution.translation.PipelineTranslatorUtils;
import org.apache.beam.sdk.util.construction.PipelineOptionsTranslation;
import org.apache.beam.vendor.grpc.v1p69p0.com.google.protobuf.Struct;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A pipeline in Beam's portable form that runs, or has run, as an application of Millrace.
/// Thread-safe.
final class PortableJob {
  private static final Logger LOG = LoggerFactory.getLogger(PortableJob.class);
  private static final String PARALLELISM = "beam:option:parallelism:v1";
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final String id;
  private final RunnerApi.Pipeline pipeline;
  private final Struct optionsGiven;
  private final ServerDefaults defaults;
  private final MillracePipelineOptions options;
  private final JobEvents events = new JobEvents(Clock.systemUTC());
  private final PipelineMetrics metrics = new PipelineMetrics();
  private final Runnable ended;
  private @Nullable Job job;
  private boolean cancelled;

  /// @param defaults for what the options of the pipeline do not say
  /// @param ended is done when the pipeline runs no more
  PortableJob(
      String id,
      RunnerApi.Pipeline pipeline,
      Struct options,
      ServerDefaults defaults,
      Runnable ended) {
    this.id = id;
    this.ended = ended;
    this.pipeline = pipeline;
    this.optionsGiven = options;
    this.defaults = defaults;
    this.options = PipelineOptionsTranslation.fromProto(options).as(MillracePipelineOptions.class);
    events.state(JobState.Enum.STOPPED);
  }

  String id() {
    return id;
  }

  /// Returns the name of the application.
  String name() {
    return options
        .getJobName()
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^a-z0-9]+", "-")
        .replaceAll("^-+|-+$", "");
  }

  RunnerApi.Pipeline pipeline() {
    return pipeline;
  }

  Struct options() {
    return optionsGiven;
  }

  JobEvents events() {
    return events;
  }

  PipelineMetrics metrics() {
    return metrics;
  }

  /// Begins to run, and returns at once.
  void start() {
    events.state(JobState.Enum.STARTING);
    Thread.ofPlatform().name("beam-job-" + id).daemon().start(this::run);
  }

  private void run() {
    try (JobBundleFactory harnesses =
        Harnesses.of(JobInfo.create(id, options.getJobName(), "", optionsGiven), options)) {
      Job begun = begin(harnesses);
      if (begun == null) {
        events.state(JobState.Enum.CANCELLED);
      } else {
        await(begun);
      }
      // outermost: whatever keeps a pipeline from running is told to who has handed it in
    } catch (Exception e) {
      LOG.warn("The pipeline '{}' has failed.", name(), e);
      failed(e.toString());
    } finally {
      ended.run();
    }
  }

  /// Returns what runs; null if the pipeline was cancelled before.
  private @Nullable Job begin(JobBundleFactory harnesses) {
    // The Python SDK says -1 for other runners if nothing is said.
    int parallelism =
        optionsGiven.containsFields(PARALLELISM) && options.getParallelism() > 0
            ? options.getParallelism()
            : defaults.parallelism();
    TopologyGraph graph =
        PortableTranslator.translate(pipeline, options, parallelism, () -> harnesses, metrics);
    List<String> settings = new ArrayList<>(defaults.settings());
    settings.addAll(options.getSettings());
    JobConfig config =
        PipelineConfig.of(
            !PipelineTranslatorUtils.hasUnboundedPCollections(pipeline), settings, System.getenv());
    synchronized (this) {
      if (cancelled) {
        return null;
      }
      Job started = Millrace.start(new PipelineApplication(name(), graph), config);
      job = started;
      events.state(JobState.Enum.RUNNING);
      return started;
    }
  }

  private void await(Job running) throws InterruptedException {
    running.await();
    JobFailure failure = running.failure();
    running.close();
    if (failure != null) {
      failed(text(failure));
    } else {
      events.state(isCancelled() ? JobState.Enum.CANCELLED : JobState.Enum.DONE);
    }
  }

  private void failed(String why) {
    events.say(MessageImportance.JOB_MESSAGE_ERROR, why);
    events.state(JobState.Enum.FAILED);
  }

  /// What a harness has said is the whole story; anything else is told as the job tells it.
  private static String text(JobFailure failure) {
    for (Throwable each = failure.cause(); each != null; each = each.getCause()) {
      if (each instanceof StageFailure) {
        return String.valueOf(each.getMessage());
      }
    }
    return failure.message();
  }

  private synchronized boolean isCancelled() {
    return cancelled;
  }

  /// Commits what was processed, and ends the pipeline.
  void cancel() throws InterruptedException {
    Job running;
    synchronized (this) {
      cancelled = true;
      running = job;
    }
    if (running != null) {
      events.state(JobState.Enum.CANCELLING);
      running.stop(PATIENCE);
    }
  }
}
