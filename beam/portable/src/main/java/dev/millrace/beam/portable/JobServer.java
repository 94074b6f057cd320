package dev.millrace.beam.portable;

import dev.millrace.internal.beam.portable.jobs.JobService;
import dev.millrace.internal.beam.portable.jobs.ServerDefaults;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.beam.runners.fnexecution.artifact.ArtifactStagingService;
import org.apache.beam.sdk.io.FileSystems;
import org.apache.beam.sdk.options.PipelineOptionsFactory;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.Server;
import org.apache.beam.vendor.grpc.v1p69p0.io.grpc.netty.NettyServerBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Takes pipelines of Apache Beam in its portable form, such as those of the Python SDK, and runs
/// them in this process. Each is an application of Millrace whose name is that of the job.
///
/// ```sh
/// python pipeline.py --runner=PortableRunner --job_endpoint=localhost:8099 \
///   --environment_type=LOOPBACK --job_name=words
/// ```
///
/// The process as `main` runs it ends with code 0 when it is asked to, and with 2 if its options
/// are wrong.
public final class JobServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(JobServer.class);
  private static final int PATIENCE_SECONDS = 5;

  private final Path artifacts;
  private final JobService jobs;
  private final Server server;

  private JobServer(Path artifacts, JobService jobs, Server server) {
    this.artifacts = artifacts;
    this.jobs = jobs;
    this.server = server;
  }

  /// Starts a server.
  ///
  /// @throws IOException if it cannot listen there
  public static JobServer start(JobServerOptions options) throws IOException {
    FileSystems.setDefaultPipelineOptions(PipelineOptionsFactory.create());
    Path artifacts = Files.createTempDirectory("millrace-beam");
    ArtifactStagingService staging =
        new ArtifactStagingService(
            ArtifactStagingService.beamFilesystemArtifactDestinationProvider(artifacts.toString()));
    JobService jobs =
        new JobService(staging, new ServerDefaults(options.parallelism(), options.settings()));
    Server server =
        NettyServerBuilder.forAddress(new InetSocketAddress(options.host(), options.port()))
            .maxInboundMessageSize(Integer.MAX_VALUE)
            .addService(jobs)
            .addService(staging)
            .build();
    try {
      server.start();
    } catch (IOException e) {
      delete(artifacts);
      throw new IOException(
          "The job server cannot listen on %s:%d: %s"
              .formatted(options.host(), options.port(), e.getMessage()),
          e);
    }
    jobs.stagingEndpoint(options.host() + ":" + server.getPort());
    return new JobServer(artifacts, jobs, server);
  }

  /// Returns the port on which it listens.
  public int port() {
    return server.getPort();
  }

  /// Ends all pipelines, each with a last commit, and the server.
  @Override
  public void close() {
    try {
      jobs.stop();
      server.shutdown();
      if (!server.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        server.shutdownNow();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      server.shutdownNow();
    }
    delete(artifacts);
  }

  private static void delete(Path directory) {
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    } catch (IOException e) {
      LOG.warn("The staged artifacts in {} could not be deleted.", directory, e);
    }
  }

  /// Runs a server until the process is asked to end.
  ///
  /// @param args see [JobServerOptions#USAGE]
  public static void main(String[] args) throws InterruptedException {
    System.exit(run(List.of(args)));
  }

  private static int run(List<String> args) throws InterruptedException {
    if (args.contains("--help")) {
      System.out.print(JobServerOptions.USAGE);
      return 0;
    }
    JobServer server;
    try {
      server = start(JobServerOptions.of(args));
    } catch (IllegalArgumentException | IOException e) {
      System.err.println(e.getMessage());
      return 2;
    }
    Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(server::close));
    System.out.printf("The job server listens on port %d.%n", server.port());
    server.server.awaitTermination();
    return 0;
  }
}
