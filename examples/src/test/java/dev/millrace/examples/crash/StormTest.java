package dev.millrace.examples.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.ExitCode;
import dev.millrace.examples.crash.CutDoor.Cut;
import dev.millrace.examples.flights.Flight;
import dev.millrace.examples.flights.FlightCheck;
import dev.millrace.examples.flights.FlightFile;
import dev.millrace.examples.flights.FlightLoader;
import dev.millrace.examples.transfers.Transfers;
import dev.millrace.examples.transfers.TransfersLoad;
import dev.millrace.examples.transfers.TransfersLoad.Outcome;
import dev.millrace.kafka.embedded.Patience;
import dev.millrace.kafka.embedded.ThreeBrokers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/// Two applications run on three brokers, in some processes each. At random a process is started,
/// killed, stopped for a while (SIGSTOP), asked to end, or cut off from all brokers in one
/// direction or in both; and a broker is killed or stands still. Then all results of both are
/// compared: the airports with delayed flights, and sums of transfers, of which each that is
/// committed is zero.
///
/// `-Dmillrace.storm.minutes=` says for how long, and `-Dmillrace.storm.seed=` which course is
/// drawn.
@Isolated
@Tag("thorough")
class StormTest {
  private static final long SEED = Long.getLong("millrace.storm.seed", 1);
  private static final int MINUTES = Integer.getInteger("millrace.storm.minutes", 3);

  /// How many records a process reads in a second, so that the input outlasts the storm.
  private static final int FLIGHTS_A_SECOND = 25;

  private static final int TRANSFERS_A_SECOND = 200;

  /// Of each application, at most.
  private static final int PROCESSES = 3;

  private static final List<Cut> CUTS = List.of(Cut.TO_BROKER, Cut.FROM_BROKER, Cut.BOTH);

  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @TempDir private Path directory;

  private final Random random = new Random(SEED);
  private final Map<String, Integer> happened = new TreeMap<>();
  private final Map<String, List<CutDoor>> doors = new TreeMap<>();
  private final List<Place> places = new ArrayList<>();
  private int started;

  /// Where a process runs, with a name for its connections: it has a home and doors of its own.
  private final class Place {
    final String name;
    final String application;
    final int pace;
    JobProcess process;
    long commitsBefore;
    boolean stands;
    boolean asked;
    long healNanos;
    boolean disturbed;

    Place(String name, String application, int pace) {
      this.name = name;
      this.application = application;
      this.pace = pace;
    }

    boolean isAlive() {
      return process != null && process.isAlive();
    }

    boolean works() {
      return isAlive() && !disturbed && !asked;
    }

    void start(ThreeBrokers brokers) throws IOException {
      if (process != null) {
        commitsBefore += process.commits();
      }
      count("started");
      asked = false;
      List<String> settings =
          List.of(
              "--bootstrap=" + brokers.servers(name),
              "--commit.interval=100ms",
              "--memory.budget=8MB",
              "--input.start=earliest",
              "--state.flush-interval=500ms");
      Path home = Files.createDirectories(directory.resolve(name));
      process =
          new JobProcess.Start(application, home, pace, false, settings).life("life-" + started++);
    }

    void disturb(String what, Duration time) {
      count(what);
      disturbed = true;
      healNanos = System.nanoTime() + time.toNanos();
    }

    void heal(boolean now) {
      if (disturbed && (now || System.nanoTime() - healNanos >= 0)) {
        disturbed = false;
        cut(Cut.NOTHING);
        if (stands && isAlive()) {
          process.process().goOn();
        }
        stands = false;
      }
    }

    void cut(Cut cut) {
      doors.get(name).forEach(door -> door.cut(cut));
    }

    long commits() {
      return commitsBefore + (process == null ? 0 : process.commits());
    }
  }

  @Test
  void everyResultIsExactWhateverHappens() throws Exception {
    for (int i = 0; i < PROCESSES; i++) {
      places.add(new Place("FLIGHTS" + (char) ('A' + i), "flights", FLIGHTS_A_SECOND));
      places.add(new Place("TRANSFERS" + (char) ('A' + i), "transfers", TRANSFERS_A_SECOND));
    }
    int seconds = MINUTES * 60 + 60;
    List<Flight> flights = FlightFile.read();
    flights = flights.subList(0, Math.min(flights.size(), seconds * PROCESSES * FLIGHTS_A_SECOND));
    int transfers = seconds * PROCESSES * TRANSFERS_A_SECOND;
    List<String> names = places.stream().map(place -> place.name).toList();
    try (ThreeBrokers brokers = new ThreeBrokers(directory, names, this::door)) {
      new FlightLoader(brokers.servers()).load(flights, written -> {});
      TransfersLoad load = new TransfersLoad(new Transfers(true), transfers, brokers.servers());
      load.write();
      try {
        storm(brokers);
        end(brokers);
      } finally {
        for (Place place : places) {
          if (place.process != null) {
            place.process.close();
          }
        }
        closeDoors();
      }
      FlightCheck.Result result = new FlightCheck(flights).compare(brokers.servers());
      assertEquals(List.of(), result.differences());
      assertTrue(result.rows() > 0);
      Outcome outcome = load.outcome();
      assertEquals(0, outcome.wrong(), outcome::toString);
      System.out.printf(
          "storm: seed %d, %d minutes, %s, %d rows of flights compared, %d sums of %d transfers%n",
          SEED, MINUTES, happened, result.rows(), outcome.sums(), transfers);
    }
  }

  private int door(String client, int node, int port) throws IOException {
    CutDoor door = new CutDoor(port);
    doors.computeIfAbsent(client, _ -> new ArrayList<>()).add(door);
    return door.port();
  }

  private void closeDoors() throws IOException {
    for (List<CutDoor> all : doors.values()) {
      for (CutDoor door : all) {
        door.close();
      }
    }
  }

  private void count(String what) {
    happened.merge(what, 1, Integer::sum);
  }

  private void storm(ThreeBrokers brokers) throws Exception {
    long end = System.nanoTime() + Duration.ofMinutes(MINUTES).toNanos();
    long said = System.nanoTime();
    while (System.nanoTime() < end) {
      for (String application : List.of("flights", "transfers")) {
        happen(application, brokers);
      }
      if (random.nextInt(15) == 0) {
        disturb(brokers);
      }
      Thread.sleep(random.nextInt(2_500));
      heal(false);
      if (System.nanoTime() - said > Duration.ofMinutes(5).toNanos()) {
        said = System.nanoTime();
        System.out.println("storm: " + happened);
      }
      if (random.nextInt(10) == 0) {
        goOn();
      }
    }
  }

  private List<Place> of(String application) {
    return places.stream().filter(place -> place.application.equals(application)).toList();
  }

  private void happen(String application, ThreeBrokers brokers) throws Exception {
    List<Place> working = of(application).stream().filter(Place::works).toList();
    List<Place> free = of(application).stream().filter(place -> !place.isAlive()).toList();
    if (!free.isEmpty() && (working.size() < 2 || random.nextInt(3) == 0)) {
      free.get(random.nextInt(free.size())).start(brokers);
      return;
    }
    if (working.size() < 2) {
      return;
    }
    Place hit = working.get(random.nextInt(working.size()));
    Duration time = Duration.ofMillis(200 + random.nextInt(8_000));
    switch (random.nextInt(5)) {
      case 0 -> {
        count("killed");
        hit.process.process().kill();
      }
      case 1 -> {
        count("asked to end");
        hit.asked = true;
        hit.process.process().ask();
      }
      case 2 -> {
        hit.process.process().stop();
        hit.stands = true;
        hit.disturb("stopped", time);
      }
      default -> {
        Cut cut = CUTS.get(random.nextInt(CUTS.size()));
        hit.cut(cut);
        hit.disturb("cut off, " + cut, time);
      }
    }
  }

  /// A broker is killed and started again, or stands still.
  private void disturb(ThreeBrokers brokers) throws Exception {
    int node = random.nextInt(ThreeBrokers.NODES);
    if (random.nextBoolean()) {
      count("broker killed");
      brokers.kill(node);
      Thread.sleep(random.nextInt(3_000));
      brokers.start(node);
    } else {
      count("broker stood still");
      brokers.freeze(node);
      Thread.sleep(500 + random.nextInt(5_000));
      brokers.thaw(node);
    }
  }

  private void heal(boolean now) {
    places.forEach(place -> place.heal(now));
  }

  /// Waits for more commits of both applications.
  private void goOn() {
    for (String application : List.of("flights", "transfers")) {
      long before = commits(application);
      Patience.await(
          "More commits of " + application,
          PATIENCE,
          () -> {
            heal(false);
            noneHasFailed();
            return commits(application) >= before + 5;
          });
    }
  }

  private long commits(String application) {
    return commits(of(application));
  }

  private static long commits(List<Place> places) {
    return places.stream().mapToLong(Place::commits).sum();
  }

  private void noneHasFailed() {
    for (Place place : places) {
      assertEquals("", errors(place), place.name);
    }
  }

  private static String errors(Place place) {
    return place.process == null ? "" : place.process.process().errors();
  }

  private void end(ThreeBrokers brokers) throws Exception {
    heal(true);
    for (String application : List.of("flights", "transfers")) {
      if (of(application).stream().noneMatch(Place::works)) {
        Place free =
            of(application).stream().filter(each -> !each.isAlive()).findAny().orElseThrow();
        free.start(brokers);
      }
    }
    List<Place> last = places.stream().filter(Place::works).toList();
    for (Place place : last) {
      place.process.hurry();
    }
    // What is left of the input takes as long as it takes.
    while (last.stream().anyMatch(Place::isAlive)) {
      List<Place> before = last.stream().filter(Place::isAlive).toList();
      long commits = commits(last);
      Patience.await(
          "More commits, or an end",
          PATIENCE,
          () -> commits(last) > commits || !before.stream().allMatch(Place::isAlive));
    }
    for (Place place : last) {
      assertEquals(ExitCode.DONE, place.process.awaitEnd(), () -> errors(place));
    }
  }
}
