package dev.millrace.examples.crash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.ExitCode;
import dev.millrace.kafka.embedded.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A job whose state lies on a small file system that runs full again and again, with more or less
/// left, while it runs and when it starts. It waits, says so, loses and doubles nothing, and goes
/// on when there is space.
@Tag("thorough")
class FullDiskProcessTest {
  private static final int KEYS = 300_000;
  private static final int ROUNDS = Integer.getInteger("millrace.full-disks", 6);
  private static final int MEGABYTES = 160;
  private static final int SOME = 300_000;
  private static final int PATIENCE_SECONDS = 120;
  private static final String WAITS = "millrace_waits_for_space{";

  @TempDir private Path directory;
  private final HttpClient http = HttpClient.newHttpClient();
  private final int port;

  FullDiskProcessTest() throws IOException {
    port = FreePorts.next();
  }

  @Test
  void aFullDiskIsWaitedFor() throws Exception {
    TotalsOracle oracle = new TotalsOracle(KEYS);
    Path on = Files.createDirectory(directory.resolve("small"));
    try (BrokerProcess broker = new BrokerProcess(directory);
        TotalsLoad load = new TotalsLoad(broker.bootstrap(), oracle, KEYS);
        SmallFileSystem disk = new SmallFileSystem(on, MEGABYTES)) {
      JavaProcess job = start("life-0", broker, disk);
      long stoodStillMillis = 0;
      try {
        for (int round = 1; round <= ROUNDS; round++) {
          load.awaitMore(SOME, job);
          long left = (long) (round % 4) << 18;
          if (round % 2 == 0) {
            fillUntilItWaits(disk, left, job);
            job.kill();
            job = start("life-" + round, broker, disk);
          }
          fillUntilItWaits(disk, left, job);
          long since = System.nanoTime();
          load.awaitStandstill(job);
          Thread.sleep(3_000);
          assertTrue(job.isAlive(), job::errors);
          stoodStillMillis += (System.nanoTime() - since) / 1_000_000;
          disk.free();
        }
        load.awaitMore(SOME, job);
        load.end();
        load.awaitAll(job);
        assertEquals(0, waiting());
        job.ask();
        assertEquals(ExitCode.DONE, job.await(PATIENCE_SECONDS), job::errors);
        job = start("again", broker, disk);
        long values = load.oneMoreOfEachKey();
        load.awaitAll(job);
        job.ask();
        assertEquals(ExitCode.DONE, job.await(PATIENCE_SECONDS), job::errors);
        assertEquals(values, oracle.requireEmitted(broker.bootstrap(), TotalsLoad.PARTITIONS));
        System.out.printf(
            "full disks: %d, for %d ms; %d values of %d keys%n",
            ROUNDS, stoodStillMillis, values, KEYS);
      } finally {
        job.close();
      }
    }
  }

  private JavaProcess start(String name, BrokerProcess broker, SmallFileSystem disk) {
    return new JavaProcess(
        disk.inside(),
        List.of("-Xmx512m", "-XX:+UseSerialGC"),
        directory.resolve(name + ".err"),
        Totals.class,
        List.of(
            "--bootstrap=" + broker.bootstrap(),
            "--state.directory=" + disk.path().resolve("state"),
            "--memory.budget=32MB",
            "--state.flush-interval=1s",
            "--http=" + port));
  }

  /// Again and again, as what a compaction leaves behind is deleted when it has ended.
  private void fillUntilItWaits(SmallFileSystem disk, long left, JavaProcess job)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE_SECONDS * 1_000_000_000L;
    while (waiting() != 1) {
      disk.fillExcept(left);
      assertTrue(job.isAlive() && System.nanoTime() - end < 0, job::errors);
      Thread.sleep(50);
    }
  }

  /// What the job says of itself; -1 if it does not answer.
  private int waiting() throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).build();
    try {
      String metrics = http.send(request, HttpResponse.BodyHandlers.ofString()).body();
      return metrics
          .lines()
          .filter(line -> line.startsWith(WAITS))
          .mapToInt(line -> (int) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
          .findFirst()
          .orElse(-1);
    } catch (IOException e) {
      return -1; // it is starting
    }
  }
}
