package dev.millrace.examples.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.ExitCode;
import dev.millrace.examples.flights.Flight;
import dev.millrace.examples.flights.FlightCheck;
import dev.millrace.examples.flights.FlightFile;
import dev.millrace.examples.flights.FlightLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Processes that stand still (SIGSTOP) and wake up again, at whatever they were doing: as a laptop
/// that was closed, a virtual machine that was moved, a very long pause of a collector.
@Tag("thorough")
class StoppedProcessTest {
  private static final int SOME_COMMITS = 5;

  /// So few records a second that the input lasts, until somebody hurries.
  private static final int SLOW = 60;

  @TempDir private Path directory;

  @Test
  void aShortStopChangesNothing() throws Exception {
    stopAndGoOn(6, 2_000);
  }

  /// Longer than others would wait, and than the transaction's time; nobody takes the tasks over.
  @Test
  void aLongStopOfTheOnlyProcessChangesNothing() throws Exception {
    stopAndGoOn(4, 25_000, "--commit.transaction-timeout=5s");
  }

  private void stopAndGoOn(int stops, long millis, String... settings) throws Exception {
    List<Flight> flights = FlightFile.read().subList(0, 12_000);
    Random random = new Random(2);
    Map<Phase, Integer> stoppedIn = new TreeMap<>();
    try (BrokerProcess broker = new BrokerProcess(directory)) {
      new FlightLoader(broker.bootstrap()).load(flights, written -> {});
      try (JobProcess job = host(broker, "a").life("only", settings)) {
        for (int stop = 0; stop < stops; stop++) {
          goesOn(job);
          Thread.sleep(random.nextInt(200), random.nextInt(1_000_000));
          awaitCommitBegun(job, stop % 2 == 0);
          job.process().stop();
          Phase.at(job.trace().lines()).forEach(each -> stoppedIn.merge(each, 1, Integer::sum));
          Thread.sleep(millis);
          job.process().goOn();
          goesOn(job);
        }
        job.hurry();
        assertEquals(ExitCode.DONE, job.awaitEnd(), job.process()::errors);
      }
      exact(flights, broker);
      System.out.printf("stops of %d ms: %d, stopped in %s%n", millis, stops, stoppedIn);
    }
  }

  /// Every other stop comes just when a commit was begun.
  private static void awaitCommitBegun(JobProcess job, boolean wanted) {
    long begun = job.trace().count(Phase.COMMIT.begun);
    if (wanted) {
      assertTrue(
          job.trace().await(() -> job.trace().count(Phase.COMMIT.begun) > begun, job::isAlive));
    }
  }

  /// A host has a state directory of its own.
  private JobProcess.Start host(BrokerProcess broker, String name) throws Exception {
    Path own = Files.createDirectories(directory.resolve(name));
    List<String> settings = new ArrayList<>();
    settings.add("--bootstrap=" + broker.bootstrap());
    settings.add("--commit.interval=50ms");
    settings.add("--memory.budget=512KB");
    settings.add("--state.flush-interval=500ms");
    return new JobProcess.Start("flights", own, SLOW, false, settings);
  }

  /// Some more commits come.
  private static void goesOn(JobProcess job) {
    assertTrue(job.awaitCommits(job.commits() + SOME_COMMITS), job.process()::errors);
  }

  private static void exact(List<Flight> flights, BrokerProcess broker) {
    FlightCheck.Result result = new FlightCheck(flights).compare(broker.bootstrap());
    assertEquals(List.of(), result.differences());
    assertTrue(result.rows() > 0);
  }
}
