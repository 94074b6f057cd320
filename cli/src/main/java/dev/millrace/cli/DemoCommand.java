package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.examples.flights.Flight;
import dev.millrace.examples.flights.FlightCheck;
import dev.millrace.examples.flights.FlightFile;
import dev.millrace.examples.flights.FlightLoader;
import dev.millrace.examples.flights.FlightResults;
import dev.millrace.kafka.embedded.EmbeddedKafkaProvider;
import dev.millrace.spi.LocalBroker;
import dev.millrace.spi.LogException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Runs the flights on a Kafka of its own and shows what comes out.
@Command(
    name = "demo",
    mixinStandardHelpOptions = true,
    description = {
      "Finds the airports with the most delays in each hour of 2013, among all 336,776 flights that"
          + " departed from New York.",
      "",
      "Starts Kafka in this process, writes the flights to a topic, runs the application and shows"
          + " its results. The data is kept: a run that was interrupted continues, and the results"
          + " of a complete run are shown again.",
    })
final class DemoCommand implements Callable<Integer> {
  private static final int SHOWN_DIFFERENCES = 20;

  @Option(
      names = "--verify",
      description = "Also compute the results from the file in plain Java, and compare every row.")
  private boolean verify;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "The directory for the data; default: millrace-data/demo.")
  private @Nullable Path data;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "0",
      description = "The port on 127.0.0.1 where Kafka listens; default: a free port.")
  private int port;

  @Option(
      names = "--reset",
      description = "Remove the data of earlier demonstrations and start again.")
  private boolean reset;

  @SuppressWarnings("NullAway.Init") // picocli sets it
  @Spec
  private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    CommandPort.require(spec.commandLine(), port);
    PrintWriter out = spec.commandLine().getOut();
    DemoDirectory directory = DemoDirectory.of(data);
    if (reset) {
      directory.reset();
    }
    try (LocalBroker broker = new EmbeddedKafkaProvider().start(directory.kafka(), port)) {
      out.println(
          "Kafka: in this process, cluster %s at %s, data in %s"
              .formatted(broker.clusterId(), broker.bootstrapServers(), directory.path()));
      out.flush();
      return run(broker, directory, out);
    } catch (LogException e) {
      throw new UserException(ExitCode.FAILED, String.valueOf(e.getMessage()));
    }
  }

  int run(LocalBroker broker, DemoDirectory directory, PrintWriter out)
      throws InterruptedException {
    String bootstrap = broker.bootstrapServers();
    try {
      return run(bootstrap, directory, out);
    } catch (KafkaException e) {
      throw TopicTables.failed(bootstrap, e.getCause() == null ? e : e.getCause());
    }
  }

  private int run(String bootstrap, DemoDirectory directory, PrintWriter out)
      throws InterruptedException {
    ProgressLine progress = new ProgressLine(out, ProgressLine.onTerminal());
    List<Flight> flights = FlightFile.read();
    load(flights, bootstrap, progress);
    new DemoJob(flights, progress).run(bootstrap, directory.state());
    out.println();
    DemoReport report = new DemoReport(out);
    report.show(new FlightResults(bootstrap));
    boolean right = !verify || verify(flights, bootstrap, out);
    report.whereToLook(directory.kafka());
    out.flush();
    return right ? ExitCode.DONE : ExitCode.FAILED;
  }

  private static void load(List<Flight> flights, String bootstrap, ProgressLine progress)
      throws InterruptedException {
    long start = System.nanoTime();
    try {
      boolean written =
          new FlightLoader(bootstrap)
              .load(
                  flights,
                  count ->
                      progress.show(
                          String.format(
                              Locale.ROOT, "Writing flights: %,d of %,d", count, flights.size())));
      progress.end(
          written
              ? String.format(
                  Locale.ROOT, "Wrote %,d flights in %s.", flights.size(), Elapsed.since(start))
              : String.format(
                  Locale.ROOT, "The topic has the %,d flights already.", flights.size()));
    } catch (ExecutionException e) {
      throw new UserException(
          ExitCode.FAILED, "The flights could not be written to Kafka: " + e.getCause());
    }
  }

  private static boolean verify(List<Flight> flights, String bootstrap, PrintWriter out) {
    FlightCheck.Result result = new FlightCheck(flights).compare(bootstrap);
    List<String> differences = result.differences();
    differences.stream().limit(SHOWN_DIFFERENCES).forEach(out::println);
    out.println(
        String.format(
            Locale.ROOT,
            "Verified: %,d rows were compared with those computed from the file, %,d differ.%n",
            result.rows(),
            differences.size()));
    return differences.isEmpty();
  }
}
