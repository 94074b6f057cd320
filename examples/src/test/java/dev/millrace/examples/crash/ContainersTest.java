package dev.millrace.examples.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.ExitCode;
import dev.millrace.examples.flights.Flight;
import dev.millrace.examples.flights.FlightCheck;
import dev.millrace.examples.flights.FlightFile;
import dev.millrace.examples.flights.FlightLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Several processes of one application.
@Tag("thorough")
class ContainersTest {
  private static final int FLIGHTS = 6_000;
  private static final int PATIENCE_SECONDS = 60;
  private static final int SOME_COMMITS = 5;

  /// So few records a second that the input lasts for a minute, unless somebody hurries.
  private static final int SLOW = 50;

  private final List<Flight> flights = FlightFile.read().subList(0, FLIGHTS);

  @TempDir private Path directory;

  @Test
  void oneOfTwoIsKilledAndStartedAgain() throws Exception {
    try (BrokerProcess broker = new BrokerProcess(directory)) {
      JobProcess.Start start = start(broker, SLOW, "--containers=2", "--workers=1");
      try (JobProcess first = start.life("first", "--container=0")) {
        try (JobProcess second = start.life("second", "--container=1")) {
          goesOn(first);
          goesOn(second);
          second.process().kill();
        }
        goesOn(first);
        try (JobProcess again = start.life("again", "--container=1")) {
          goesOn(again);
          first.hurry();
          again.hurry();
          ends(ExitCode.DONE, again.process());
        }
        ends(ExitCode.DONE, first.process());
      }
      exact(broker);
      System.out.println("crash schedules: 1 with two processes");
    }
  }

  private JobProcess.Start start(BrokerProcess broker, int recordsPerSecond, String... settings)
      throws Exception {
    new FlightLoader(broker.bootstrap()).load(flights, written -> {});
    List<String> all = new ArrayList<>(List.of(settings));
    all.add("--bootstrap=" + broker.bootstrap());
    all.add("--commit.interval=50ms");
    return new JobProcess.Start("flights", directory, recordsPerSecond, false, all);
  }

  /// Some more commits come.
  private static void goesOn(JobProcess job) {
    assertTrue(job.awaitCommits(job.commits() + SOME_COMMITS), job.process()::errors);
  }

  private static void ends(int status, JavaProcess process) throws InterruptedException {
    assertEquals(status, process.await(PATIENCE_SECONDS), process::errors);
  }

  private void exact(BrokerProcess broker) {
    FlightCheck.Result result = new FlightCheck(flights).compare(broker.bootstrap());
    assertEquals(List.of(), result.differences());
    assertTrue(result.rows() > 0);
  }
}
