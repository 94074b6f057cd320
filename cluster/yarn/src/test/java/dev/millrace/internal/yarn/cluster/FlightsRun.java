package dev.millrace.internal.yarn.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.examples.flights.Flight;
import dev.millrace.examples.flights.FlightCheck;
import dev.millrace.examples.flights.FlightFile;
import dev.millrace.examples.flights.FlightLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The flights on YARN, with a broker of their own.
public final class FlightsRun extends YarnRun {
  public static final String NAME = "flights";

  private final List<Flight> flights;

  /// @param count how many flights
  public FlightsRun(HadoopCluster cluster, Path directory, int count) throws Exception {
    super(cluster, directory, NAME, YarnFlights.class);
    flights = FlightFile.read().subList(0, count);
    assertTrue(new FlightLoader(bootstrap()).load(flights, _ -> {}));
  }

  /// Submits them.
  public void submit(int containers, String... more) throws IOException, InterruptedException {
    List<String> options =
        new ArrayList<>(
            List.of(
                "--containers",
                Integer.toString(containers),
                "--memory",
                "512MB",
                "--java-option=-XX:TieredStopAtLevel=1",
                "--java-option=-XX:+UseSerialGC"));
    options.addAll(Arrays.asList(more));
    submit(
        options,
        List.of("--commit.interval=50ms", "--memory.budget=16MB", "--state.flush-interval=500ms"));
  }

  /// From now on they read as fast as they can.
  public void hurry() throws IOException {
    Files.writeString(directory().resolve(YarnFlights.HURRY), "");
  }

  /// From now on processes fail on a host as soon as they are started.
  public void makeBad(String host) throws IOException {
    Files.writeString(directory().resolve(YarnFlights.BAD + host), "");
  }

  /// Compares all results; returns how many.
  public long compare() {
    FlightCheck.Result result = new FlightCheck(flights).compare(bootstrap());
    assertEquals(List.of(), result.differences());
    assertTrue(result.rows() > 0);
    return result.rows();
  }
}
