package dev.millrace.examples.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.examples.flights.Flight;
import dev.millrace.examples.flights.FlightFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Example 2 in a process of its own that is killed again and again must write exactly what a plain
/// computation says, and must not if its commit record is outside the transaction.
class FlightCrashTest {
  private static final int FEW_FLIGHTS = 5_000;
  private static final int SLOW = 1_000;
  private static final int FAST = 13_000;

  private static final int FEW_COMMITS = 6;
  private static final int MANY_COMMITS = 100;

  private static final List<Flight> ALL = FlightFile.read();

  private final List<Flight> few = ALL.subList(0, FEW_FLIGHTS);

  @TempDir private Path directory;

  @Test
  void killsChangeNothing() throws Exception {
    FlightCrashRun.Result result = run(1, few, SLOW, FEW_COMMITS, Planes.OFFICIAL);
    assertEquals(List.of(), result.check().differences());
    assertEquals(EnumSet.allOf(Phase.class), result.hit());
  }

  @Tag("thorough")
  @Test
  void aCommitRecordOutsideTheTransactionIsFound() throws Exception {
    FlightCrashRun.Result result =
        run(new FlightCrashRun(own(3), 3, few, SLOW, FEW_COMMITS, true, Planes.OFFICIAL));
    assertFalse(result.check().differences().isEmpty());
  }

  @Tag("thorough")
  @ParameterizedTest
  @CsvSource({
    "11, OFFICIAL",
    "12, OFFICIAL",
    "14, DIRECT",
    "15, DIRECT",
    "17, IN_TURN",
    "18, IN_TURN"
  })
  void killsChangeNothingInALongRun(int seed, Planes planes) throws Exception {
    FlightCrashRun.Result result = run(seed, ALL, FAST, MANY_COMMITS, planes);
    assertEquals(List.of(), result.check().differences());
    assertEquals(EnumSet.allOf(Phase.class), result.hit());
    assertTrue(result.millis() >= Duration.ofSeconds(20).toMillis(), result::toString);
  }

  private FlightCrashRun.Result run(
      long seed, List<Flight> flights, int pace, int commits, Planes planes) throws Exception {
    return run(new FlightCrashRun(own(seed), seed, flights, pace, commits, false, planes));
  }

  private Path own(long seed) throws IOException {
    return Files.createDirectory(directory.resolve("run-" + seed));
  }

  private static FlightCrashRun.Result run(FlightCrashRun run) throws Exception {
    FlightCrashRun.Result result = run.run();
    System.out.printf(
        "crash schedules: 1 with %d kills that hit %s; the job ran for %d ms; %d rows compared, %d"
            + " differences%n",
        result.kills(),
        result.hit(),
        result.millis(),
        result.check().rows(),
        result.check().differences().size());
    return result;
  }
}
