package dev.millrace.internal.yarn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.internal.yarn.cluster.FlightsRun;
import dev.millrace.internal.yarn.cluster.HadoopCluster;
import dev.millrace.internal.yarn.cluster.YarnRun.Life;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The guide to YARN on a real resource manager, two node managers and HDFS: an application is
/// submitted, looked at, loses a process and runs to its verified end.
class YarnTest {
  @TempDir private Path directory;

  @Test
  void anApplicationRunsToItsEndWhileItsProcessesAreKilled() throws Exception {
    try (HadoopCluster cluster = new HadoopCluster(directory.resolve("hadoop"), Map.of());
        FlightsRun flights = new FlightsRun(cluster, directory.resolve("flights"), 3_000)) {
      flights.submit(2);
      List<Life> lives = flights.await(2);
      Set<String> hosts = new HashSet<>();
      lives.forEach(life -> hosts.add(life.host()));
      assertEquals(Set.copyOf(HadoopCluster.HOSTS), hosts);
      HadoopCluster.Said status = cluster.command("status", FlightsRun.NAME);
      assertEquals(0, status.status(), status::err);
      lives.forEach(life -> assertTrue(status.out().contains(life.container()), status.out()));
      String page = page(status.out());
      lives.forEach(life -> assertTrue(page.contains("runs on " + life.host()), page));
      HadoopCluster.Said again =
          cluster.command("submit", "--classpath", ".", FlightsRun.NAME, "some.Main");
      assertEquals(Exit.TAKEN, again.status(), again::err);

      Life killed = lives.getFirst();
      killed.kill();
      assertEquals(killed.host(), flights.awaitNew(lives).host());
      HadoopCluster.Said logs = cluster.command("logs", FlightsRun.NAME);
      assertTrue(logs.out().contains("RUNNING"), () -> logs.out() + logs.err());
      flights.hurry();
      flights.awaitEnd();
      flights.compare();
    }
  }

  /// Returns the page that the resource manager links.
  private static String page(String status) throws IOException, InterruptedException {
    String url = status.lines().findFirst().orElseThrow().replaceFirst(".*Its page: ", "").strip();
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }
}
