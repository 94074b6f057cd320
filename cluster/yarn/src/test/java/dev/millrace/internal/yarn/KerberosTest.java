package dev.millrace.internal.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.yarn.cluster.FlightsRun;
import dev.millrace.internal.yarn.cluster.HadoopCluster;
import dev.millrace.internal.yarn.cluster.HadoopCluster.Said;
import dev.millrace.internal.yarn.cluster.Kerberos;
import dev.millrace.internal.yarn.cluster.YarnRun.Life;
import dev.millrace.kafka.embedded.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The flights on a cluster that asks for Kerberos, with tokens for HDFS that end soon. All results
/// are compared.
@Tag("thorough")
class KerberosTest {
  /// How long a token for HDFS lives at most, in place of a week.
  private static final int TOKEN_SECONDS = 90;

  /// How long it lives unless it is renewed, in place of a day.
  private static final int RENEWAL_SECONDS = 45;

  /// How long a ticket of the master lives, in place of a day.
  private static final int TICKET_SECONDS = 30;

  /// More than processes that are not told to hurry are through with meanwhile.
  private static final int FLIGHTS = 60_000;

  private static final int LONG_SECONDS = 3_600;

  /// In which time a process that can be started again is.
  private static final Duration WAIT = Duration.ofSeconds(30);

  /// What each process has open, and the master does not need.
  private static final String JAR = "kafka-clients";

  private static final String SECRET = "master.keytab";

  @TempDir private Path directory;

  private static Map<String, String> settings(Kerberos kerberos) {
    Map<String, String> all = new TreeMap<>(kerberos.settings());
    all.put("dfs.namenode.delegation.token.max-lifetime", millis(TOKEN_SECONDS));
    all.put("dfs.namenode.delegation.token.renew-interval", millis(RENEWAL_SECONDS));
    // So that a master needs a ticket each time that it asks for something.
    all.put("ipc.client.connection.maxidletime", "1000");
    return all;
  }

  private static String millis(int seconds) {
    return Long.toString(Duration.ofSeconds(seconds).toMillis());
  }

  private HadoopCluster cluster(Kerberos kerberos, Map<String, String> settings)
      throws IOException {
    return new HadoopCluster(
        directory.resolve("hadoop"), settings, List.of(kerberos.option(LONG_SECONDS)));
  }

  private static Map<String, String> tickets(Path file) {
    return Map.of("KRB5CCNAME", file.toString());
  }

  @Test
  void withAKeytabProcessesAreStartedAfterTheFirstTokensHaveEnded() throws Exception {
    try (Kerberos kerberos = new Kerberos(directory.resolve("kerberos"));
        HadoopCluster cluster = cluster(kerberos, settings(kerberos));
        FlightsRun flights = new FlightsRun(cluster, directory.resolve("flights"), FLIGHTS)) {
      cluster.commandsHave(tickets(directory.resolve("no-tickets")));
      Said refused = submit(cluster);
      assertEquals(Exit.USAGE, refused.status(), refused::err);
      assertTrue(refused.err().contains("kinit"), refused::err);
      Said stranger =
          submit(
              cluster, "--principal=nobody@SOME.WHERE", "--keytab=" + kerberos.keytab().toString());
      assertEquals(Exit.USAGE, stranger.status(), stranger::err);
      assertTrue(stranger.err().contains("'nobody@SOME.WHERE'"), stranger::err);

      flights.submit(
          2,
          "--principal=" + Kerberos.USER,
          "--keytab=" + kerberos.keytab(),
          "--master-java-option=" + kerberos.option(TICKET_SECONDS));
      cluster.commandsHave(tickets(kerberos.kinit()));
      awaitEndOfTokens();
      List<Life> lives = flights.await(2);
      assertEquals(1, localized(cluster, SECRET), "only the master has it");
      Life killed = lives.getFirst();
      forget(cluster, killed.host(), JAR);
      killed.kill();
      assertEquals(killed.host(), flights.awaitNew(lives).host());
      assertEquals(1, cluster.localized(killed.host(), JAR).size(), "it was fetched again");
      flights.hurry();
      flights.awaitEnd();
      flights.compare();
      Patience.await("The keytab's end", WAIT, () -> localized(cluster, SECRET) == 0);
    }
  }

  @Test
  void withoutAKeytabProcessesAreStartedUntilTheTokensEnd() throws Exception {
    try (Kerberos kerberos = new Kerberos(directory.resolve("kerberos"));
        HadoopCluster cluster = cluster(kerberos, settings(kerberos));
        FlightsRun flights = new FlightsRun(cluster, directory.resolve("flights"), FLIGHTS)) {
      cluster.commandsHave(tickets(kerberos.kinit()));
      flights.submit(2, "--master-java-option=" + kerberos.option(LONG_SECONDS));
      List<Life> lives = flights.await(2);
      lives.getFirst().kill();
      flights.awaitNew(lives);
      awaitEndOfTokens();
      List<Life> later = flights.await(2);
      for (String host : HadoopCluster.HOSTS) {
        forget(cluster, host, JAR);
      }
      later.getFirst().kill();
      Thread.sleep(WAIT);
      assertEquals(List.of(later.getLast()), flights.lives());
      String errors = cluster.containerErrors();
      assertTrue(
          errors
              .lines()
              .anyMatch(line -> line.contains("status -1000") && line.contains("has expired")),
          errors);
    }
  }

  @Test
  void aMasterIsStartedAfterItsTokensHaveEndedIfTheClusterAsksForNewOnes() throws Exception {
    try (Kerberos kerberos = new Kerberos(directory.resolve("kerberos"));
        HadoopCluster cluster = cluster(kerberos, withProxy(settings(kerberos)));
        FlightsRun flights = new FlightsRun(cluster, directory.resolve("flights"), FLIGHTS)) {
      cluster.commandsHave(tickets(kerberos.kinit()));
      flights.submit(
          2,
          "--principal=" + Kerberos.USER,
          "--keytab=" + kerberos.keytab(),
          "--master-java-option=" + kerberos.option(TICKET_SECONDS));
      List<Life> lives = flights.await(2);
      awaitEndOfTokens();
      for (String host : HadoopCluster.HOSTS) {
        forget(cluster, host, "cluster-site.xml");
      }
      long former = flights.masters().getFirst().pid();
      flights.masters().getFirst().destroyForcibly();
      Patience.await(
          "Another master",
          Duration.ofSeconds(60),
          () -> flights.masters().stream().anyMatch(master -> master.pid() != former));
      assertEquals(lives, flights.lives());
      Life killed = lives.getFirst();
      forget(cluster, killed.host(), JAR);
      killed.kill();
      flights.awaitNew(lives);
      flights.hurry();
      flights.awaitEnd();
      flights.compare();
    }
  }

  /// Lets the resource manager get tokens for users.
  private static Map<String, String> withProxy(Map<String, String> settings) {
    Map<String, String> all = new TreeMap<>(settings);
    all.put("yarn.resourcemanager.proxy-user-privileges.enabled", "true");
    all.put("hadoop.proxyuser.hadoop.users", "*");
    all.put("hadoop.proxyuser.hadoop.hosts", "*");
    return all;
  }

  private static Said submit(HadoopCluster cluster, String... more)
      throws IOException, InterruptedException {
    String[] all = new String[more.length + 5];
    all[0] = "submit";
    System.arraycopy(more, 0, all, 1, more.length);
    all[more.length + 1] = "--classpath";
    all[more.length + 2] = ".";
    all[more.length + 3] = FlightsRun.NAME;
    all[more.length + 4] = "some.Main";
    return cluster.command(all);
  }

  /// Those of the last submission were made before it ended.
  private static void awaitEndOfTokens() throws InterruptedException {
    Thread.sleep(Duration.ofSeconds(TOKEN_SECONDS + 1));
  }

  private static int localized(HadoopCluster cluster, String begin) {
    int all = 0;
    for (String host : HadoopCluster.HOSTS) {
      all += cluster.localized(host, begin).size();
    }
    return all;
  }

  /// A host has to fetch it again.
  private static void forget(HadoopCluster cluster, String host, String begin) throws IOException {
    for (Path each : cluster.localized(host, begin)) {
      Files.delete(each);
    }
  }
}
