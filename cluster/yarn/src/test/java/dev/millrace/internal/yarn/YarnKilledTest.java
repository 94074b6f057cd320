package dev.millrace.internal.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.millrace.internal.yarn.cluster.FlightsRun;
import dev.millrace.internal.yarn.cluster.HadoopCluster;
import dev.millrace.internal.yarn.cluster.YarnRun.Life;
import dev.millrace.kafka.embedded.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The flights on YARN while containers, masters and hosts die. All results are compared.
@Tag("thorough")
class YarnKilledTest {
  private static final long SEED = Long.getLong("millrace.yarn.seed", 1);
  private static final int DEATHS = Integer.getInteger("millrace.yarn.deaths", 50);
  private static final int AFFINITY_SECONDS = 5;

  /// What the cluster of this test takes to see that a node manager is silent.
  private static final int SILENCE_SECONDS = 5;

  @TempDir private static Path directory;
  private static HadoopCluster cluster;

  @BeforeAll
  static void start() throws IOException {
    cluster = new HadoopCluster(directory.resolve("hadoop"), Map.of());
  }

  @AfterAll
  static void stop() throws InterruptedException {
    cluster.close();
  }

  @Test
  void aProcessThatDiesIsStartedWhereItsStateIs() throws Exception {
    Random random = new Random(SEED);
    try (FlightsRun flights = new FlightsRun(cluster, directory.resolve("deaths"), 100_000)) {
      flights.submit(4);
      int same = 0;
      for (int death = 0; death < DEATHS; death++) {
        List<Life> lives = flights.await(4);
        Thread.sleep(random.nextInt(1_000));
        Life killed = lives.get(random.nextInt(lives.size()));
        killed.kill();
        if (flights.awaitNew(lives).host().equals(killed.host())) {
          same++;
        }
      }
      System.out.printf("yarn: seed %d, %d of %d on the same host%n", SEED, same, DEATHS);
      assertTrue(same >= DEATHS * 9 / 10, same + " of " + DEATHS);
      flights.hurry();
      flights.awaitEnd();
      System.out.printf("yarn: %d rows compared%n", flights.compare());
    }
  }

  @Test
  void aMasterThatDiesStopsNothing() throws Exception {
    try (FlightsRun flights = new FlightsRun(cluster, directory.resolve("masters"), 60_000)) {
      flights.submit(3);
      List<Life> lives = flights.await(3);
      for (int death = 1; death <= 2; death++) {
        List<Long> masters = flights.masters().stream().map(ProcessHandle::pid).toList();
        assertEquals(1, masters.size());
        flights.masters().getFirst().destroyForcibly();
        Patience.await(
            "Another master",
            Duration.ofSeconds(60),
            () -> flights.masters().stream().anyMatch(master -> !masters.contains(master.pid())));
        Patience.await("Its registration", Duration.ofSeconds(60), () -> shows("is RUNNING"));
      }
      assertEquals(lives, flights.lives());
      assertTrue(shows("attempt 3"));
      // The new one does what the former one did.
      lives.getFirst().kill();
      Life next = flights.awaitNew(lives);
      assertEquals(lives.getFirst().host(), next.host());
      assertEquals(3, flights.await(3).size());
      flights.hurry();
      flights.awaitEnd();
      flights.compare();
    }
  }

  private static boolean shows(String text) {
    try {
      return cluster.command("status", FlightsRun.NAME).out().contains(text);
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  @Test
  void whatRanOnAHostThatIsGoneIsStartedElsewhere() throws Exception {
    try (FlightsRun flights = new FlightsRun(cluster, directory.resolve("hosts"), 60_000)) {
      flights.submit(2, "--affinity-wait", Integer.toString(AFFINITY_SECONDS));
      List<Life> lives = flights.await(2);
      String lost = hostWithoutMaster(flights, lives);
      cluster.killNode(lost);
      long begunNanos = System.nanoTime();
      try {
        lives.stream().filter(life -> life.host().equals(lost)).forEach(Life::kill);
        Life next = flights.awaitNew(lives);
        Duration took = Duration.ofNanos(System.nanoTime() - begunNanos);
        assertNotEquals(lost, next.host());
        Duration most = Duration.ofSeconds(SILENCE_SECONDS + AFFINITY_SECONDS + 10);
        System.out.printf("yarn: elsewhere after %d ms%n", took.toMillis());
        assertTrue(took.compareTo(Patience.grown(most)) < 0, () -> took + " is more than " + most);
        assertTrue(took.toSeconds() >= AFFINITY_SECONDS, () -> took + " is too early");
        flights.hurry();
        flights.awaitEnd();
        flights.compare();
      } finally {
        cluster.startNode(lost);
      }
    }
  }

  /// Returns a host with a process: YARN may put all of them on one, and the master beside them or
  /// elsewhere. If the master is lost, too, more time passes than is allowed here.
  private static String hostWithoutMaster(FlightsRun flights, List<Life> lives) throws IOException {
    String master = flights.hostOf(flights.masters().getFirst());
    return lives.stream()
        .map(Life::host)
        .filter(host -> !host.equals(master))
        .findFirst()
        .orElseGet(() -> fail("All processes are beside the master on " + master + ": " + lives));
  }

  @Test
  void aHostOnWhichProcessesFailIsAvoided() throws Exception {
    String bad = HadoopCluster.HOSTS.getLast();
    try (FlightsRun flights = new FlightsRun(cluster, directory.resolve("bad"), 3_000)) {
      flights.makeBad(bad);
      flights.submit(2);
      flights.await(2).forEach(life -> assertEquals(HadoopCluster.HOSTS.getFirst(), life.host()));
      flights.hurry();
      flights.awaitEnd();
      flights.compare();
    }
  }

  @Test
  void theStateOfDeletedApplicationsIsRemovedFromHosts() throws Exception {
    String host = HadoopCluster.HOSTS.getFirst();
    try (FlightsRun flights = new FlightsRun(cluster, directory.resolve("collect"), 3_000)) {
      flights.submit(2);
      flights.await(2);
      flights.hurry();
      flights.awaitEnd();
      Path home = flights.state(host).resolve("flights-on-yarn");
      assertTrue(Files.exists(home), home::toString);
      collect(flights, host);
      assertTrue(Files.exists(home), "the application exists");
      try (Admin admin = Admin.create(Map.of("bootstrap.servers", flights.bootstrap()))) {
        admin.deleteTopics(List.of("flights-on-yarn-changelog")).all().get();
      }
      collect(flights, host);
      assertFalse(Files.exists(home), home::toString);
    }
  }

  private static void collect(FlightsRun flights, String host)
      throws IOException, InterruptedException {
    HadoopCluster.Said said =
        cluster.command(
            List.of("-Dmillrace.command.classpath=" + HadoopCluster.millraceClassPath()),
            "collect",
            "--memory=512MB",
            "--master-memory=256MB",
            "--master-java-option=" + cluster.namesOption(),
            "--state",
            flights.state(host).toString(),
            "--yes",
            "--",
            "--bootstrap",
            flights.bootstrap());
    assertEquals(0, said.status(), () -> said.out() + said.err());
    assertTrue(said.out().contains("ended runs"), said.out());
  }

  @Test
  void whoIsToldToStopCommitsAndBeginsLaterWhereItsStateIs() throws Exception {
    try (FlightsRun flights = new FlightsRun(cluster, directory.resolve("stops"), 20_000)) {
      flights.submit(2, "--queue", "other", "--priority", "3");
      List<Life> lives = flights.await(2);
      assertTrue(shows("other,"));
      Thread.sleep(2_000);
      HadoopCluster.Said killed = cluster.command("kill", FlightsRun.NAME);
      assertTrue(killed.out().contains("was stopped in order"), () -> killed.out() + killed.err());
      assertEquals(List.of(), flights.lives());
      flights.submit(2);
      List<Life> later = flights.await(2);
      assertEquals(
          lives.stream().map(Life::host).sorted().toList(),
          later.stream().map(Life::host).sorted().toList());
      flights.hurry();
      flights.awaitEnd();
      flights.compare();
    }
  }
}
