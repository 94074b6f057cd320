package dev.millrace.benchmarks.containers;

import dev.millrace.benchmarks.containers.Decided.Change;
import dev.millrace.benchmarks.containers.Finding.Goal;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/// `kill -9` of one of four containers under load, each of them in turn: how long until somebody
/// decides that it is gone, and from then on until each of its partitions has rows again.
final class KillRow implements RowPlay {
  private static final double DETECTION_SECONDS = 3;

  @Override
  public void play(Stage stage)
      throws InterruptedException, TimeoutException, ExecutionException, IOException {
    // All on one host: whoever takes a task over finds its state on the disk.
    play(stage, "local state", stage.setup().fleet(0, false), 3);
    // A host each: only the follower has a copy.
    play(stage, "follower", stage.setup().fleet(1, true), 1);
  }

  private static void play(Stage stage, String name, Fleet.Options fleet, double takeoverSeconds)
      throws InterruptedException, TimeoutException, ExecutionException, IOException {
    try (Scene scene = stage.open(name, stage.setup().setting(4, fleet))) {
      scene.beginLoad();
      for (int kill = 0; kill < stage.setup().repeats(); kill++) {
        int slot = (kill + stage.run()) % 4;
        scene.say("killing container %d".formatted(slot));
        kill(stage, scene, slot, name, takeoverSeconds);
        scene.fleet().start(slot);
        scene.awaitSettled();
      }
      stage.check(name, scene);
    }
  }

  private static void kill(Stage stage, Scene scene, int slot, String name, double takeoverSeconds)
      throws InterruptedException, TimeoutException {
    String victim = scene.fleet().name(slot);
    Set<Integer> tasks = scene.tasksOf(victim);
    boolean decides = scene.decided().leader().equals(victim);
    scene.fleet().kill(slot);
    long killed = System.nanoTime();
    Map<Integer, Change> moved = scene.awaitMoved(tasks, killed);
    long detected = moved.values().stream().mapToLong(Change::nanos).min().orElse(killed);
    stage.add(
        name,
        "detection" + (decides ? ", of the coordinator" : ""),
        "s",
        Goal.mostIs(DETECTION_SECONDS),
        (detected - killed) / 1e9);
    moved.forEach((task, change) -> {
      long first = scene.arrivals().firstAfter(task, change.nanos());
      stage.add(
          name,
          "first row of a partition, from detection",
          "s",
          Goal.mostIs(takeoverSeconds),
          (first - detected) / 1e9);
      stage.add(
          name,
          "partition without rows",
          "s",
          Goal.NONE,
          scene.arrivals().longest(task, killed, first).seconds());
    });
  }
}
