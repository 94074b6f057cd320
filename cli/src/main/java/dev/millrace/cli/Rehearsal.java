package dev.millrace.cli;

import dev.millrace.Job;
import dev.millrace.JobFailure;
import dev.millrace.Millrace;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.benchmarks.process.Cluster;
import dev.millrace.config.ConfigLoader;
import dev.millrace.examples.flights.DelayedFlights;
import dev.millrace.examples.flights.Flight;
import dev.millrace.examples.flights.FlightFile;
import dev.millrace.examples.flights.FlightLoader;
import dev.millrace.kafka.DataPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/// Runs once when the launcher creates an AOT cache, which stores what to load and compile at later
/// starts: a Kafka, and a job that runs to its end and is started again, on both data planes. Says
/// nothing unless it fails.
final class Rehearsal {
  /// Enough for what is hot to be compiled.
  private static final int FLIGHTS = 60_000;

  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int STARTS = 2;

  private final Path directory;

  private Rehearsal(Path directory) {
    this.directory = directory;
  }

  /// @param args a directory that it may fill
  public static void main(String[] args)
      throws InterruptedException, ExecutionException, TimeoutException, IOException {
    new Rehearsal(Files.createDirectories(Path.of(args[0]))).run();
  }

  private void run()
      throws InterruptedException, ExecutionException, TimeoutException, IOException {
    List<Flight> flights = FlightFile.read().subList(0, FLIGHTS);
    try (Cluster broker = new Cluster(directory)) {
      new FlightLoader(broker.bootstrap()).load(flights, _ -> {});
      for (DataPlane plane : DataPlane.values()) {
        for (int start = 0; start < STARTS; start++) {
          start(plane, broker.bootstrap());
        }
      }
    }
  }

  private void start(DataPlane plane, String bootstrap) throws InterruptedException {
    String name = plane.name().toLowerCase(Locale.ROOT);
    StreamApplication application = new Rehearsed("rehearsal-" + name);
    ConfigLoader loader = new ConfigLoader(directory, Map.of());
    List<String> flags =
        List.of(
            "--bootstrap=" + bootstrap,
            "--kafka.data-plane=" + name,
            "--state.directory=" + directory.resolve("state"));
    try (Job job = Millrace.start(application, loader.load(flags).job())) {
      boolean ended = job.await(PATIENCE);
      JobFailure failure = job.failure();
      if (!ended || failure != null) {
        throw new IllegalStateException(
            failure == null ? "It did not end within " + PATIENCE : failure.message());
      }
    }
  }

  private record Rehearsed(String name) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      new DelayedFlights().describe(topology);
    }
  }
}
