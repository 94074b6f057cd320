package dev.millrace.beam.portable;

import dev.millrace.beam.MillraceRunner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.beam.model.jobmanagement.v1.JobApi;
import org.apache.beam.model.jobmanagement.v1.JobApi.JobState;
import org.apache.beam.model.jobmanagement.v1.JobServiceGrpc;
import org.apache.beam.sdk.Pipeline;
import org.apache.beam.sdk.options.PipelineOptions;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.sdk.options.PortablePipelineOptions;
import org.apache.beam.sdk.util.construction.Environments;
import org.apache.beam.sdk.util.construction.PipelineOptionsTranslation;
import org.apache.beam.sdk.util.construction.PipelineTranslation;
import org.apache.beam.sdk.util.construction.SdkComponents;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.ManagedChannel;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.netty.NettyChannelBuilder;

/// Hands pipelines for Java in at a job server, which runs them in harnesses in its own process.
final class Client implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final ManagedChannel channel;
  private final JobServiceGrpc.JobServiceBlockingStub jobs;

  Client(int port) {
    channel = NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    jobs =
        JobServiceGrpc.newBlockingStub(channel)
            .withDeadlineAfter(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }

  JobServiceGrpc.JobServiceBlockingStub jobs() {
    return jobs;
  }

  /// Returns options of a pipeline whose harness is in the process of the server.
  static PipelineOptions options(String name) {
    PortablePipelineOptions options =
        PipelineOptionsFactory.create().as(PortablePipelineOptions.class);
    options.setRunner(MillraceRunner.class);
    options.setJobName(name);
    options.setDefaultEnvironmentType(Environments.ENVIRONMENT_EMBEDDED);
    return options;
  }

  /// Starts a pipeline and returns the id of its job.
  String start(Pipeline pipeline) {
    PipelineOptions options = pipeline.getOptions();
    JobApi.PrepareJobResponse prepared =
        jobs.prepare(
            JobApi.PrepareJobRequest.newBuilder()
                .setJobName(options.getJobName())
                .setPipeline(
                    PipelineTranslation.toProto(pipeline, SdkComponents.create(options), false))
                .setPipelineOptions(PipelineOptionsTranslation.toProto(options))
                .build());
    return jobs.run(
            JobApi.RunJobRequest.newBuilder().setPreparationId(prepared.getPreparationId()).build())
        .getJobId();
  }

  /// Returns all states of a job up to its end.
  List<JobState.Enum> states(String job) {
    List<JobState.Enum> states = new ArrayList<>();
    Iterator<JobApi.JobStateEvent> events =
        jobs.getStateStream(JobApi.GetJobStateRequest.newBuilder().setJobId(job).build());
    events.forEachRemaining(each -> states.add(each.getState()));
    return states;
  }

  /// Returns what is said of a job up to its end.
  List<String> messages(String job) {
    List<String> messages = new ArrayList<>();
    jobs.getMessageStream(JobApi.JobMessagesRequest.newBuilder().setJobId(job).build())
        .forEachRemaining(each -> {
          if (each.hasMessageResponse()) {
            messages.add(each.getMessageResponse().getMessageText());
          }
        });
    return messages;
  }

  /// Returns what was counted for a job.
  JobApi.MetricResults metrics(String job) {
    return jobs.getJobMetrics(JobApi.GetJobMetricsRequest.newBuilder().setJobId(job).build())
        .getMetrics();
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
