package dev.millrace.examples.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.ExitCode;
import dev.millrace.examples.flights.Flight;
import dev.millrace.examples.flights.FlightCheck;
import dev.millrace.examples.flights.FlightFile;
import dev.millrace.examples.flights.FlightLoader;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Jobs that are killed every few seconds for ten minutes, or as long as the system property
/// `millrace.kills` says (`PT1M`). Kafka goes on. Every record is accounted for at the end. The
/// data planes take turns unless [Planes#asked] says otherwise.
@Tag("thorough")
@Order(1)
class KilledForMinutesTest {
  private static final int KEYS = Integer.getInteger("millrace.kills.keys", 10_000_000);
  private static final int PATIENCE_SECONDS = 300;
  private static final long SEED = 1;
  private static final Planes PLANES = Planes.asked();

  @TempDir private Path directory;

  @Test
  void theFlightsSlowedDown() throws Exception {
    List<Flight> flights = FlightFile.read();
    try (BrokerProcess broker = new BrokerProcess(directory)) {
      new FlightLoader(broker.bootstrap()).load(flights, written -> {});
      JobProcess.Start start =
          new JobProcess.Start(
              "flights",
              directory,
              Math.max(1, (int) (flights.size() / Kills.time().toSeconds())),
              false,
              List.of(
                  "--bootstrap=" + broker.bootstrap(),
                  "--commit.interval=50ms",
                  "--memory.budget=512KB",
                  "--state.flush-interval=500ms"));
      String report =
          new Kills(
                  SEED,
                  number -> {
                    JobProcess life = start.life("life-" + number, PLANES.argument(number));
                    return new Kills.Life(
                        life.process(),
                        () ->
                            life.trace().lines().stream()
                                .anyMatch(line -> line.event().startsWith(Phase.PROCESSING.begun)));
                  })
              .run();
      try (JobProcess last = start.life("last")) {
        last.hurry();
        assertEquals(ExitCode.DONE, last.awaitEnd(), last.process()::errors);
      }
      FlightCheck.Result result = new FlightCheck(flights).compare(broker.bootstrap());
      assertEquals(List.of(), result.differences());
      System.out.printf(
          "killed for minutes: %d flights, %s; %d rows compared%n",
          flights.size(), report, result.rows());
    }
  }

  @Test
  void manyKeysAtFullSpeed() throws Exception {
    TotalsOracle oracle = new TotalsOracle(KEYS);
    Path state = directory.resolve("state");
    try (BrokerProcess broker = new BrokerProcess(directory);
        TotalsLoad load = new TotalsLoad(broker.bootstrap(), oracle, KEYS)) {
      String report =
          new Kills(
                  SEED,
                  number -> {
                    JavaProcess process = start("life-" + number, arguments(state, broker, number));
                    return new Kills.Life(process, process::hasPrinted);
                  })
              .run();
      load.end();
      try (JavaProcess last = start("last", arguments(state, broker, 0))) {
        load.awaitAll(last);
        end(last);
      }
      long values = load.oneMoreOfEachKey();
      try (JavaProcess again = start("again", arguments(state, broker, 0))) {
        load.awaitAll(again);
        end(again);
      }
      assertEquals(values, oracle.requireEmitted(broker.bootstrap(), TotalsLoad.PARTITIONS));
      System.out.printf("killed for minutes: %d values of %d keys, %s%n", values, KEYS, report);
    }
  }

  private static void end(JavaProcess process) throws InterruptedException {
    process.ask();
    assertEquals(ExitCode.DONE, process.await(PATIENCE_SECONDS), process::errors);
  }

  private static List<String> arguments(Path state, BrokerProcess broker, int life) {
    return List.of(
        "--bootstrap=" + broker.bootstrap(), "--state.directory=" + state, PLANES.argument(life));
  }

  private JavaProcess start(String name, List<String> arguments) {
    return new JavaProcess(
        List.of("-Xmx1g", "-XX:+UseSerialGC"),
        directory.resolve(name + ".err"),
        Totals.class,
        arguments);
  }
}
