package dev.millrace.internal.beam.portable.jobs;

import dev.millrace.beam.MillracePipelineOptions;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.beam.model.jobmanagement.v1.JobApi;
import org.apache.beam.model.jobmanagement.v1.JobServiceGrpc;
import org.apache.beam.model.pipeline.v1.Endpoints.ApiServiceDescriptor;
import org.apache.beam.model.pipeline.v1.RunnerApi;
import org.apache.beam.runners.fnexecution.artifact.ArtifactStagingService;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.Status;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.stub.StreamObserver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes pipelines and runs them, as Beam's job API says. A pipeline is handed in, its artifacts
/// are staged, and then it runs as a job of another id.
public final class JobService extends JobServiceGrpc.JobServiceImplBase {
  private static final Logger LOG = LoggerFactory.getLogger(JobService.class);

  /// So many jobs that have ended are remembered.
  private static final int MOST_ENDED = 100;

  private final ArtifactStagingService staging;
  private final ServerDefaults defaults;
  private final Map<String, PreparedJob> prepared = new ConcurrentSkipListMap<>();
  private final Map<String, PortableJob> jobs = Collections.synchronizedMap(new LinkedHashMap<>());
  private volatile String stagingEndpoint = "";

  public JobService(ArtifactStagingService staging, ServerDefaults defaults) {
    this.staging = staging;
    this.defaults = defaults;
  }

  /// Says where clients reach the staging of artifacts.
  public void stagingEndpoint(String endpoint) {
    stagingEndpoint = endpoint;
  }

  @Override
  public void prepare(
      JobApi.PrepareJobRequest request, StreamObserver<JobApi.PrepareJobResponse> observer) {
    String id = "prepared-" + UUID.randomUUID();
    prepared.put(id, new PreparedJob(id, request.getPipeline(), request.getPipelineOptions()));
    Map<String, List<RunnerApi.ArtifactInformation>> artifacts = new TreeMap<>();
    request
        .getPipeline()
        .getComponents()
        .getEnvironmentsMap()
        .forEach((name, each) -> artifacts.put(name, each.getDependenciesList()));
    staging.registerJob(id, artifacts);
    answer(
        observer,
        JobApi.PrepareJobResponse.newBuilder()
            .setPreparationId(id)
            .setArtifactStagingEndpoint(ApiServiceDescriptor.newBuilder().setUrl(stagingEndpoint))
            .setStagingSessionToken(id)
            .build());
  }

  @Override
  public void run(JobApi.RunJobRequest request, StreamObserver<JobApi.RunJobResponse> observer) {
    PreparedJob job = prepared.remove(request.getPreparationId());
    if (job == null) {
      observer.onError(
          Status.NOT_FOUND
              .withDescription("Nothing is prepared as " + request.getPreparationId())
              .asException());
      return;
    }
    String id = "job-" + UUID.randomUUID();
    PortableJob made;
    try {
      made =
          new PortableJob(id, staged(job), job.options(), defaults, () -> removeStaged(job.id()));
    } catch (IllegalArgumentException e) {
      observer.onError(
          Status.INVALID_ARGUMENT
              .withDescription("The options of the pipeline are wrong: " + e.getMessage())
              .asException());
      return;
    }
    forgetOld();
    jobs.put(id, made);
    made.start();
    answer(observer, JobApi.RunJobResponse.newBuilder().setJobId(id).build());
  }

  private void removeStaged(String prepared) {
    try {
      staging.removeStagedArtifacts(prepared);
    } catch (IOException e) {
      LOG.warn("The artifacts of {} could not be deleted.", prepared, e);
    }
  }

  /// Forgets the jobs that ended first, so that a server may go on for long.
  private void forgetOld() {
    synchronized (jobs) {
      List<String> ended =
          jobs.values().stream()
              .filter(each -> JobEvents.isEnd(each.events().state().getState()))
              .map(PortableJob::id)
              .toList();
      ended.stream().limit(Math.max(0, ended.size() - MOST_ENDED)).forEach(jobs::remove);
    }
  }

  private List<PortableJob> all() {
    synchronized (jobs) {
      return List.copyOf(jobs.values());
    }
  }

  /// Returns the pipeline with its artifacts where they were staged.
  private RunnerApi.Pipeline staged(PreparedJob job) {
    Map<String, List<RunnerApi.ArtifactInformation>> artifacts =
        staging.getStagedArtifacts(job.id());
    if (artifacts == null) {
      return job.pipeline();
    }
    RunnerApi.Pipeline.Builder pipeline = job.pipeline().toBuilder();
    artifacts.forEach((name, each) ->
        pipeline
            .getComponentsBuilder()
            .putEnvironments(
                name,
                pipeline.getComponents().getEnvironmentsOrThrow(name).toBuilder()
                    .clearDependencies()
                    .addAllDependencies(each)
                    .build()));
    return pipeline.build();
  }

  private static <T> void answer(StreamObserver<T> observer, T response) {
    observer.onNext(response);
    observer.onCompleted();
  }

  /// Something to be done with a job.
  private interface Work {
    void with(PortableJob job) throws InterruptedException;
  }

  private void with(String id, StreamObserver<?> observer, Work work) {
    PortableJob job = jobs.get(id);
    if (job == null) {
      observer.onError(Status.NOT_FOUND.withDescription("There is no job " + id).asException());
      return;
    }
    try {
      work.with(job);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      observer.onError(Status.ABORTED.withDescription("The server ends.").asException());
    }
  }

  @Override
  public void getJobs(
      JobApi.GetJobsRequest request, StreamObserver<JobApi.GetJobsResponse> observer) {
    JobApi.GetJobsResponse.Builder all = JobApi.GetJobsResponse.newBuilder();
    for (PortableJob each : all()) {
      all.addJobInfo(
          JobApi.JobInfo.newBuilder()
              .setJobId(each.id())
              .setJobName(each.name())
              .setPipelineOptions(each.options())
              .setState(each.events().state().getState()));
    }
    answer(observer, all.build());
  }

  @Override
  public void getState(
      JobApi.GetJobStateRequest request, StreamObserver<JobApi.JobStateEvent> observer) {
    with(request.getJobId(), observer, job -> answer(observer, job.events().state()));
  }

  @Override
  public void getStateStream(
      JobApi.GetJobStateRequest request, StreamObserver<JobApi.JobStateEvent> observer) {
    with(request.getJobId(), observer, job -> job.events().states(observer));
  }

  @Override
  public void getMessageStream(
      JobApi.JobMessagesRequest request, StreamObserver<JobApi.JobMessagesResponse> observer) {
    with(request.getJobId(), observer, job -> job.events().messages(observer));
  }

  @Override
  public void getPipeline(
      JobApi.GetJobPipelineRequest request,
      StreamObserver<JobApi.GetJobPipelineResponse> observer) {
    with(
        request.getJobId(),
        observer,
        job ->
            answer(
                observer,
                JobApi.GetJobPipelineResponse.newBuilder().setPipeline(job.pipeline()).build()));
  }

  @Override
  public void getJobMetrics(
      JobApi.GetJobMetricsRequest request, StreamObserver<JobApi.GetJobMetricsResponse> observer) {
    with(
        request.getJobId(),
        observer,
        job ->
            answer(
                observer,
                JobApi.GetJobMetricsResponse.newBuilder()
                    .setMetrics(
                        JobApi.MetricResults.newBuilder()
                            .addAllAttempted(job.metrics().attempted())
                            .addAllCommitted(job.metrics().committed()))
                    .build()));
  }

  @Override
  public void cancel(
      JobApi.CancelJobRequest request, StreamObserver<JobApi.CancelJobResponse> observer) {
    with(
        request.getJobId(),
        observer,
        job -> {
          job.cancel();
          answer(
              observer,
              JobApi.CancelJobResponse.newBuilder()
                  .setState(job.events().state().getState())
                  .build());
        });
  }

  @Override
  public void describePipelineOptions(
      JobApi.DescribePipelineOptionsRequest request,
      StreamObserver<JobApi.DescribePipelineOptionsResponse> observer) {
    answer(
        observer,
        JobApi.DescribePipelineOptionsResponse.newBuilder()
            .addAllOptions(PipelineOptionsFactory.describe(Set.of(MillracePipelineOptions.class)))
            .build());
  }

  /// Ends all jobs that run: each commits what it has processed.
  public void stop() throws InterruptedException {
    for (PortableJob each : all()) {
      each.cancel();
    }
  }
}
