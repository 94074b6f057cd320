package dev.millrace.benchmarks.containers;

import dev.millrace.benchmarks.containers.Finding.Goal;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/// An idle job of four containers: what each takes of a processor, and how many requests Kafka gets
/// a second, by Kafka's own count of all but those of this process's readers.
final class IdleRow implements RowPlay {
  private static final String NAME = "4 containers";
  private static final int CONTAINERS = 4;
  private static final double SHARE = 1;
  private static final double REQUESTS = 2;

  @Override
  public void play(Stage stage)
      throws InterruptedException, TimeoutException, ExecutionException, IOException {
    Fleet.Options fleet = stage.setup().fleet(0, false);
    try (Scene scene = stage.open(NAME, stage.setup().setting(CONTAINERS, fleet));
        BrokerRequests requests = BrokerRequests.of(scene.cluster().pid())) {
      scene.stopWatching();
      // What follows a start: compilers, and pauses that become longer.
      Thread.sleep(stage.setup().idleSeconds() * 500L);
      double[] cpu = new double[CONTAINERS];
      for (int slot = 0; slot < CONTAINERS; slot++) {
        cpu[slot] = scene.cpu(slot);
      }
      double kafka = scene.cluster().cpu().toNanos() / 1e9;
      long before = requests.count();
      long begun = System.nanoTime();
      Thread.sleep(stage.setup().idleSeconds() * 1_000L);
      double seconds = (System.nanoTime() - begun) / 1e9;
      long asked = requests.count() - before;
      for (int slot = 0; slot < CONTAINERS; slot++) {
        stage.add(
            NAME,
            "of a processor, each",
            "%",
            Goal.mostIs(SHARE),
            100 * (scene.cpu(slot) - cpu[slot]) / seconds);
      }
      stage.add(
          NAME,
          "of a processor, Kafka",
          "%",
          Goal.NONE,
          100 * (scene.cluster().cpu().toNanos() / 1e9 - kafka) / seconds);
      stage.add(
          NAME,
          "requests to Kafka a second, each",
          "",
          Goal.mostIs(REQUESTS),
          asked / seconds / CONTAINERS);
    }
  }
}
