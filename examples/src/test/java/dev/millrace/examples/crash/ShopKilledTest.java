package dev.millrace.examples.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.ExitCode;
import dev.millrace.examples.shop.Shop;
import dev.millrace.examples.shop.ShopCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The shop in two processes for five minutes, or as long as the system property `millrace.kills`
/// says (`PT1M`), while its processes and its Kafka are killed, stopped and started again. Then
/// every row is right. The property `millrace.kills.seed` gives another course of it.
@Tag("thorough")
@Order(1)
class ShopKilledTest {
  private static final long SEED = Long.getLong("millrace.kills.seed", 1);
  private static final int CONTAINERS = 2;
  private static final int PATIENCE_SECONDS = 120;
  private static final Planes PLANES = Planes.asked();

  /// A minute in the shop goes by in a second.
  private static final int FASTER = 60;

  private static final Duration BETWEEN_ORDERS = Duration.ofSeconds(1);
  private static final int LEAST_LIFE_MILLIS = 1_000;
  private static final int LIFE_MILLIS = 14_000;
  private static final int STOP_MILLIS = 15_000;

  /// A virtual machine that is asked to end before the program has begun ends with another code.
  private static final int BEGUN_MILLIS = 10_000;

  private static final int BROKER_AWAY_MILLIS = 4_000;

  /// What is done to them. Each is done as often as it is here before it begins anew.
  private enum Blow {
    KILL,
    KILL_AND_LOSE_DISK,
    KILL_BOTH,
    KILL_KAFKA,
    STOP_AND_GO_ON,
    END
  }

  private static final List<Blow> DECK =
      List.of(
          Blow.KILL,
          Blow.KILL,
          Blow.KILL,
          Blow.KILL,
          Blow.KILL_AND_LOSE_DISK,
          Blow.KILL_BOTH,
          Blow.KILL_BOTH,
          Blow.KILL_KAFKA,
          Blow.KILL_KAFKA,
          Blow.STOP_AND_GO_ON,
          Blow.END);

  @TempDir private Path directory;

  private final Random random = new Random(SEED);
  private final JavaProcess[] processes = new JavaProcess[CONTAINERS];
  private final Map<Blow, Integer> blows = new EnumMap<>(Blow.class);
  private int lives;
  private int atWork;

  @Test
  void everyRowIsRightWhateverIsKilled() throws Exception {
    System.out.println("shop killed: seed " + SEED);
    try (BrokerProcess broker = new BrokerProcess(directory);
        ShopLoad load = new ShopLoad(broker.bootstrap(), SEED, BETWEEN_ORDERS)) {
      load.begin(FASTER);
      try {
        for (int container = 0; container < CONTAINERS; container++) {
          start(broker, container);
        }
        blows(broker, load);
        long records = load.end();
        load.awaitAll(this::areAlive);
        for (JavaProcess process : processes) {
          process.ask();
        }
        for (JavaProcess process : processes) {
          assertEquals(ExitCode.DONE, process.await(PATIENCE_SECONDS), process::errors);
        }
        ShopCheck.Result result = load.check();
        assertEquals(List.of(), result.differences(), result::toString);
        System.out.printf(
            "shop killed: seed %d, %d records in %s, %s, %d of them with a shop at work; %d rows"
                + " compared, %s%n",
            SEED, records, Kills.time(), blows, atWork, result.rows(), result.seen());
      } finally {
        for (JavaProcess process : processes) {
          if (process != null) {
            process.close();
          }
        }
      }
    }
    assertTrue(atWork > 2, "It was hardly ever at work.");
  }

  private void blows(BrokerProcess broker, ShopLoad load) throws Exception {
    long end = System.nanoTime() + Kills.time().toNanos();
    List<Blow> deck = new ArrayList<>();
    long before = 0;
    while (System.nanoTime() - end < 0) {
      live(LEAST_LIFE_MILLIS + random.nextInt(LIFE_MILLIS));
      long processed = load.processed();
      atWork += processed > before ? 1 : 0;
      before = processed;
      if (deck.isEmpty()) {
        deck.addAll(DECK);
        Collections.shuffle(deck, random);
      }
      Blow blow = deck.removeLast();
      blows.merge(blow, 1, Integer::sum);
      strike(blow, broker);
    }
  }

  private void strike(Blow blow, BrokerProcess broker) throws Exception {
    int container = random.nextInt(CONTAINERS);
    JavaProcess process = processes[container];
    switch (blow) {
      case KILL -> {
        process.kill();
        start(broker, container);
      }
      case KILL_AND_LOSE_DISK -> {
        process.kill();
        delete(state(container));
        start(broker, container);
      }
      case KILL_BOTH -> {
        for (JavaProcess each : processes) {
          each.kill();
        }
        for (int each = 0; each < CONTAINERS; each++) {
          start(broker, each);
        }
      }
      case KILL_KAFKA -> {
        broker.kill();
        live(random.nextInt(BROKER_AWAY_MILLIS));
        broker.startAgain();
      }
      case STOP_AND_GO_ON -> {
        process.stop();
        live(random.nextInt(STOP_MILLIS));
        process.goOn();
      }
      case END -> {
        live(Math.max(0, BEGUN_MILLIS - (int) process.ageMillis()));
        process.ask();
        assertEquals(ExitCode.DONE, process.await(PATIENCE_SECONDS), process::errors);
        start(broker, container);
      }
    }
  }

  /// Lets time go by. Nobody ends on his own.
  private void live(int millis) throws InterruptedException {
    long until = System.nanoTime() + Duration.ofMillis(millis).toNanos();
    while (System.nanoTime() - until < 0) {
      for (JavaProcess process : processes) {
        assertTrue(process.isAlive(), process::errors);
      }
      Thread.sleep(10);
    }
  }

  private boolean areAlive() {
    return Stream.of(processes).allMatch(JavaProcess::isAlive);
  }

  private Path state(int container) {
    return directory.resolve("state-" + container);
  }

  private void start(BrokerProcess broker, int container) {
    int life = lives++;
    processes[container] =
        new JavaProcess(
            "256m",
            directory.resolve("life-" + life + ".err"),
            Shop.class,
            List.of(
                "--bootstrap=" + broker.bootstrap(),
                "--state.directory=" + state(container),
                "--errors.on-error=dead-letter",
                "--commit.interval=50ms",
                "--memory.budget=4MB",
                "--state.flush-interval=500ms",
                // A process may be away for longer than the usual half minute on a busy machine;
                // what
                // it has then would be late, which is right and not what is computed here.
                "--input.idle-after=10m",
                PLANES.argument(life)));
  }

  private static void delete(Path state) throws IOException {
    if (Files.exists(state)) {
      try (Stream<Path> files = Files.walk(state)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
