package dev.millrace.examples.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.ExitCode;
import dev.millrace.examples.flights.Flight;
import dev.millrace.examples.flights.FlightCheck;
import dev.millrace.examples.flights.FlightFile;
import dev.millrace.examples.flights.FlightLoader;
import dev.millrace.kafka.embedded.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Processes that share the tasks of an application are started, killed, stopped for a while
/// (SIGSTOP) and asked to end at random, while it runs. All of its results are compared. The
/// property `millrace.members.seed` says which course is drawn, and `millrace.members.steps` how
/// long it is.
class MembersKilledTest {
  private static final long SEED = Long.getLong("millrace.members.seed", 1);
  private static final int STEPS = Integer.getInteger("millrace.members.steps", 60);

  /// So few records a second in each process that the input lasts until somebody hurries.
  private static final int SLOW = 20;

  private static final int MOST = 4;
  private static final Pattern YAML = Pattern.compile("(?s)```yaml\n(.*?)```");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /// The first two share a home, as processes of one host do.
  private static final List<String> HOMES = List.of("a", "a", "b", "c");

  @TempDir private Path directory;

  /// What may happen to a process.
  private enum Event {
    STARTED,
    KILLED,
    STOPPED,
    STOPPED_FOR_LONG,
    ASKED
  }

  /// A process, and until when it stands still.
  private static final class Life {
    final JobProcess process;
    long standsUntilNanos;
    boolean stands;
    boolean asked;

    Life(JobProcess process) {
      this.process = process;
    }
  }

  private final Random random = new Random(SEED);
  private final List<Life> lives = new ArrayList<>();
  private final Map<Event, Integer> happened = new TreeMap<>();
  private int started;
  private List<String> more = List.of();
  private Besides besides = () -> {};

  /// What else happens at each step.
  private interface Besides {
    void happen() throws Exception;
  }

  @Test
  void theResultIsExactWhateverHappensToTheProcesses() throws Exception {
    run(6, "--placement.standbys=0");
  }

  @Tag("thorough")
  @Test
  void theResultIsExactWhateverHappensForLong() throws Exception {
    run(STEPS, "--placement.standbys=0");
  }

  @Tag("thorough")
  @Test
  void theResultIsExactWhateverHappensForLongWithStandbys() throws Exception {
    run(STEPS, "--placement.standbys=1");
  }

  @Tag("thorough")
  @Test
  void theResultIsExactWhereOneProcessHasAllTasks() throws Exception {
    run(STEPS, "--placement.exchanges=direct");
  }

  @Test
  void theResultIsExactWhateverHappensWithZooKeeper() throws Exception {
    runWithZooKeeper(6);
  }

  @Tag("thorough")
  @Test
  void theResultIsExactWhateverHappensForLongWithZooKeeper() throws Exception {
    Map<String, Integer> besides = runWithZooKeeper(STEPS);
    assertTrue(besides.containsKey("called dead"), besides::toString);
  }

  /// With the settings that `docs/guide/zookeeper.md` shows. One of three servers at a time is
  /// killed and comes back, and they call processes dead that live, and alive that are dead.
  private Map<String, Integer> runWithZooKeeper(int steps) throws Exception {
    try (ZooKeepers servers = new ZooKeepers(3)) {
      besides = () -> servers.happen(random);
      run(steps, "--config=" + settings(servers), "--zookeeper.session-timeout=4s");
      System.out.println("zookeeper: " + servers.happened());
      return servers.happened();
    }
  }

  private Path settings(ZooKeepers servers) throws IOException {
    Matcher shown = YAML.matcher(Files.readString(Path.of("../docs/guide/zookeeper.md")));
    assertTrue(shown.find());
    String text = shown.group(1).replace("zk1:2181,zk2:2181,zk3:2181", servers.connect());
    assertTrue(text.contains(servers.connect()), text);
    return Files.writeString(directory.resolve("millrace.yaml"), text);
  }

  private void run(int steps, String... settings) throws Exception {
    more = List.of(settings);
    List<Flight> flights = FlightFile.read().subList(0, 2_000 + 400 * steps);
    try (BrokerProcess broker = new BrokerProcess(directory)) {
      new FlightLoader(broker.bootstrap()).load(flights, written -> {});
      try {
        start(broker);
        goesOn();
        for (int step = 0; step < steps; step++) {
          happen(broker);
          besides.happen();
          Thread.sleep(random.nextInt(1_500));
          wakeUp(false);
          goesOn();
        }
        end();
      } finally {
        for (Life life : lives) {
          life.process.close();
        }
      }
      FlightCheck.Result result = new FlightCheck(flights).compare(broker.bootstrap());
      assertEquals(List.of(), result.differences());
      assertTrue(result.rows() > 0);
      System.out.printf("members: seed %d, %s, %d rows compared%n", SEED, happened, result.rows());
    }
  }

  private Stream<Life> working() {
    return lives.stream().filter(life -> life.process.isAlive() && !life.stands && !life.asked);
  }

  private void happen(BrokerProcess broker) throws Exception {
    List<Life> working = working().toList();
    int living = Math.toIntExact(lives.stream().filter(life -> life.process.isAlive()).count());
    if (working.size() < 2 || (living < MOST && random.nextInt(3) == 0)) {
      start(broker);
      return;
    }
    Life hit = working.get(random.nextInt(working.size()));
    switch (random.nextInt(4)) {
      case 0 -> {
        count(Event.KILLED);
        hit.process.process().kill();
      }
      case 1 -> stop(hit, Event.STOPPED, 200 + random.nextInt(1_500));
      case 2 -> stop(hit, Event.STOPPED_FOR_LONG, 5_000 + random.nextInt(5_000));
      default -> {
        count(Event.ASKED);
        hit.asked = true;
        hit.process.process().ask();
      }
    }
  }

  private void count(Event event) {
    happened.merge(event, 1, Integer::sum);
  }

  private void start(BrokerProcess broker) throws Exception {
    count(Event.STARTED);
    Path home = Files.createDirectories(directory.resolve(HOMES.get(started % HOMES.size())));
    List<String> settings =
        new ArrayList<>(
            List.of(
                "--bootstrap=" + broker.bootstrap(),
                "--commit.interval=50ms",
                "--memory.budget=4MB",
                "--state.flush-interval=500ms"));
    settings.addAll(more);
    JobProcess.Start start = new JobProcess.Start("flights", home, SLOW, false, settings);
    lives.add(new Life(start.life("life-" + started++)));
  }

  private void stop(Life life, Event event, long millis) {
    count(event);
    life.process.process().stop();
    life.stands = true;
    life.standsUntilNanos = System.nanoTime() + Duration.ofMillis(millis).toNanos();
  }

  private void wakeUp(boolean all) {
    for (Life life : lives) {
      if (life.stands && (all || System.nanoTime() - life.standsUntilNanos > 0)) {
        life.stands = false;
        life.process.process().goOn();
      }
    }
  }

  /// Waits for more commits of any process.
  private void goesOn() {
    long before = commits();
    Patience.await(
        "More commits",
        PATIENCE,
        () -> {
          noneHasFailed();
          wakeUp(false); // else a neighbour may wait for its directory
          return commits() >= before + 5;
        });
  }

  private long commits() {
    return lives.stream().mapToLong(life -> life.process.commits()).sum();
  }

  private void noneHasFailed() {
    for (Life life : lives) {
      assertEquals("", life.process.isAlive() ? "" : life.process.process().errors());
    }
  }

  private void end() throws Exception {
    wakeUp(true);
    for (Life life : lives) {
      if (life.process.isAlive()) {
        life.process.hurry();
      }
    }
    for (Life life : working().toList()) {
      assertEquals(ExitCode.DONE, life.process.awaitEnd(), life.process.process()::errors);
    }
  }
}
