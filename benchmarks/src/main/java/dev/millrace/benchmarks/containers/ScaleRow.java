package dev.millrace.benchmarks.containers;

import dev.millrace.benchmarks.containers.Finding.Goal;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/// Figure 14 of Noghabi et al. (2017) on one machine: throughput, processor time and latency by the
/// number of containers.
final class ScaleRow implements RowPlay {
  static final String P50 = "latency p50";
  static final String P99 = "latency p99";
  static final String RATE = "events a second";
  static final String CPU = "CPU a million events";

  @Override
  public void play(Stage stage)
      throws InterruptedException, TimeoutException, ExecutionException, IOException {
    for (int containers : new int[] {1, 2, 4, 8}) {
      String name = Integer.toString(containers);
      Fleet.Options fleet = stage.setup().fleet(0, false);
      try (Scene scene = stage.open(name, stage.setup().setting(containers, fleet))) {
        scene.say("a steady load");
        scene.beginLoad();
        scene.arrivals().resetLatency();
        Thread.sleep(stage.setup().steadySeconds() * 1_000L);
        stage.add(name, P50, "ms", Goal.NONE, scene.arrivals().latencyMillis(50));
        stage.add(name, P99, "ms", Goal.NONE, scene.arrivals().latencyMillis(99));
        scene.load().stop();
        scene.say("as fast as it can");
        burst(scene, stage.setup().burst() / 2); // once the compilers know the program
        double cpu = scene.fleet().cpu().toNanos() / 1e9;
        int events = stage.setup().burst();
        double seconds = burst(scene, events);
        stage.add(name, RATE, "", Goal.NONE, events / seconds);
        stage.add(
            name,
            CPU,
            "CPU s",
            Goal.NONE,
            (scene.fleet().cpu().toNanos() / 1e9 - cpu) * 1e6 / events);
        stage.check(name, scene);
      }
    }
  }

  private static double burst(Scene scene, int events)
      throws InterruptedException, TimeoutException {
    scene.awaitAnswered(0);
    long begun = System.nanoTime();
    scene.load().burst(events);
    scene.awaitAnswered(0);
    return (System.nanoTime() - begun) / 1e9;
  }
}
