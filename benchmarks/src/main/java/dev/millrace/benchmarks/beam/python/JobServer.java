package dev.millrace.benchmarks.beam.python;

import dev.millrace.benchmarks.process.Child.Program;
import dev.millrace.benchmarks.process.Named;
import dev.millrace.benchmarks.process.Peers;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// A server that takes pipelines of Beam in any language.
public enum JobServer {
  MILLRACE("2.73.0"),
  FLINK("2.62.0");

  private static final int PARALLELISM = 2;

  private final String sdk;

  JobServer(String sdk) {
    this.sdk = sdk;
  }

  /// As it is asked for: `flink`.
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// The one with an id.
  ///
  /// @throws IllegalArgumentException that names those there are
  public static JobServer of(String id) {
    return Named.of("runner", id, values(), JobServer::id);
  }

  /// The version of Beam that it is made for, of which the SDK is, too.
  String sdk() {
    return sdk;
  }

  /// @param home of the working copy that Millrace was built in
  /// @throws IllegalStateException if it was not built
  Program program(Path home, int heapMb) {
    String heap = "-Xmx" + heapMb + "m";
    return switch (this) {
      case MILLRACE ->
          Peers.built(
              "Millrace's job server",
              home.resolve("benchmarks/beam"),
              "dev.millrace.beam.portable.JobServer",
              List.of(heap));
      case FLINK ->
          Peers.built(
              "Flink's job server",
              home.resolve("benchmarks/beam-flink"),
              "org.apache.beam.runners.flink.FlinkJobServerDriver",
              Stream.concat(Stream.of(heap), Peers.OPENED.stream()).toList());
    };
  }

  /// What it is told when it starts.
  List<String> arguments(int port) {
    return switch (this) {
      case MILLRACE ->
          List.of("--port=" + port, "--parallelism=" + PARALLELISM, "--settings=http.port=-1");
      case FLINK ->
          List.of(
              "--job-host=127.0.0.1",
              "--job-port=" + port,
              "--artifact-port=0",
              "--expansion-port=0",
              "--flink-master=[local]");
    };
  }

  /// The options of a pipeline that runs there, with its functions in the program.
  static List<String> options(int port) {
    return List.of(
        "--runner=PortableRunner",
        "--job_endpoint=127.0.0.1:" + port,
        "--environment_type=LOOPBACK",
        "--parallelism=" + PARALLELISM);
  }
}
