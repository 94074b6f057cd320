package dev.millrace.benchmarks.metrics;

import dev.millrace.Job;
import dev.millrace.JobFailure;
import dev.millrace.Millrace;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.connector.Start;
import dev.millrace.benchmarks.commit.Counts;
import dev.millrace.benchmarks.process.CpuProfile;
import dev.millrace.benchmarks.process.CpuProfile.Samples;
import dev.millrace.benchmarks.process.Directories;
import dev.millrace.benchmarks.process.Parent;
import dev.millrace.benchmarks.process.Producing;
import dev.millrace.config.HttpConfig;
import dev.millrace.config.JobConfig;
import dev.millrace.config.KafkaConfig;
import dev.millrace.config.PlacementConfig;
import dev.millrace.kafka.embedded.FreePorts;
import dev.millrace.spi.settings.InputConfig;
import dev.millrace.spi.settings.StateConfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;

/// The process in which the jobs run one after the other, warm, while somebody asks for their
/// metrics once a second.
final class MetricsRuns {
  /// Of the records, before the measurement begins.
  private static final double WARM_SHARE = 0.2;

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int LOOK_MILLIS = 50;
  private static final int ASKED_EVERY = 1_000 / LOOK_MILLIS;
  private static final int OK = 200;

  private final String bootstrap;
  private final Path directory;
  private final String topic;
  private final long records;
  private final HttpClient client = HttpClient.newHttpClient();
  private int jobs;

  private MetricsRuns(String bootstrap, Path directory, String topic, long records) {
    this.bootstrap = bootstrap;
    this.directory = directory;
    this.topic = topic;
    this.records = records;
  }

  /// Tells of each round and case how many samples were taken, and how many in metrics. A round
  /// before the first warms up.
  ///
  /// @param args address of Kafka, directory, topic, its records, rounds
  public static void main(String[] args)
      throws IOException, InterruptedException, ExecutionException {
    Parent.endWithIt();
    MetricsRuns runs = new MetricsRuns(args[0], Path.of(args[1]), args[2], Long.parseLong(args[3]));
    int rounds = Integer.parseInt(args[4]);
    for (int round = -1; round < rounds; round++) {
      for (MetricsCase each : MetricsCase.values()) {
        Samples samples = runs.run(each);
        Parent.tell(each.round(round), samples.all() + " " + samples.inside());
      }
    }
    System.exit(0);
  }

  private Samples run(MetricsCase which)
      throws IOException, InterruptedException, ExecutionException {
    String name = topic + "-" + jobs++;
    StreamApplication application =
        switch (which) {
          case PASS -> new Copies(name, topic);
          case COUNT -> new Counts(name, topic);
        };
    Path state = directory.resolve("state");
    Path profile = directory.resolve("profile.jfr");
    int port = FreePorts.next();
    JobConfig config =
        JobConfig.defaults()
            .withKafka(KafkaConfig.of(bootstrap))
            .withState(StateConfig.in(state))
            .withInput(InputConfig.defaults().withStart(Start.earliest()))
            .withPlacement(PlacementConfig.defaults().withWorkers(MetricsBenchmark.WORKERS))
            .withHttp(HttpConfig.on(port));
    try (Job job = Millrace.start(application, config)) {
      await(job, (long) (records * WARM_SHARE), port);
      CpuProfile measured = CpuProfile.start();
      await(job, records, port);
      measured.end(profile);
      if (!job.stop(PATIENCE)) {
        throw new IllegalStateException("The job did not commit within " + PATIENCE);
      }
      return CpuProfile.samples(profile, MetricsClasses::contain);
    } finally {
      Directories.delete(state);
      Producing.deleteTopics(bootstrap, name + "-");
    }
  }

  /// Asks for the metrics as a monitoring system does, until so many records are processed.
  private void await(Job job, long until, int port) throws IOException, InterruptedException {
    long processed = 0;
    for (int look = 0; processed < until; look++) {
      JobFailure failure = job.failure();
      if (failure != null) {
        throw new IllegalStateException(failure.message());
      }
      // Nobody answers before it has begun.
      if (processed > 0 && look % ASKED_EVERY == 0) {
        ask(port);
      }
      Thread.sleep(LOOK_MILLIS);
      processed = job.metrics().processed();
    }
  }

  private void ask(int port) throws IOException, InterruptedException {
    URI metrics = URI.create("http://127.0.0.1:%d/metrics".formatted(port));
    int status =
        client
            .send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.discarding())
            .statusCode();
    if (status != OK) {
      throw new IllegalStateException("%s was answered with %d.".formatted(metrics, status));
    }
  }
}
