package dev.millrace.benchmarks.containers;

import dev.millrace.benchmarks.containers.Finding.Goal;
import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/// Figure 11 of Noghabi et al. (2017): one or half of the containers are killed and started again
/// at once, with a state and ten times as much. Because the local state is found again, neither the
/// size of the state nor the number of containers should matter. All of them share a state
/// directory: tasks with as little state as here would not wait for their host.
final class RecoveryRow implements RowPlay {
  private static final double TIMES = 1.3;

  @Override
  public void play(Stage stage)
      throws InterruptedException, TimeoutException, ExecutionException, IOException {
    int containers = stage.setup().manyContainers();
    double least = Double.POSITIVE_INFINITY;
    double most = 0;
    for (int times : new int[] {1, 10}) {
      Fleet.Options fleet = stage.setup().fleet(0, false);
      int keys = stage.setup().keys() * times;
      Scene.Setting setting =
          new Scene.Setting(
              containers, stage.setup().partitions(), keys, stage.setup().rate() / 2, fleet);
      String state = "%d MB".formatted(Math.round(keys * 150 / 1e6));
      try (Scene scene = stage.open(state, setting)) {
        scene.beginLoad();
        for (int killed : new int[] {1, containers / 2}) {
          // JVMs that have just started take the processors from the next ones for compiling.
          Thread.sleep(stage.setup().steadySeconds() * 1_000L);
          scene.say("killing %d of %d containers".formatted(killed, containers));
          double seconds = recovery(scene, killed);
          stage.add(
              state,
              "%d of %d containers killed and started again".formatted(killed, containers),
              "s",
              Goal.NONE,
              seconds);
          least = Math.min(least, seconds);
          most = Math.max(most, seconds);
        }
        stage.check(state, scene);
      }
    }
    stage.add("all", "slowest by fastest", "times", Goal.medianIs(TIMES), most / least);
  }

  /// Returns the seconds from the kill until each partition of those that were killed has rows.
  private static double recovery(Scene scene, int killed)
      throws InterruptedException, TimeoutException {
    Set<Integer> tasks = new TreeSet<>();
    for (int slot = 0; slot < killed; slot++) {
      tasks.addAll(scene.tasksOf(scene.fleet().name(slot)));
    }
    long begun = System.nanoTime();
    for (int slot = 0; slot < killed; slot++) {
      scene.fleet().kill(slot);
    }
    for (int slot = 0; slot < killed; slot++) {
      scene.fleet().start(slot);
    }
    scene.awaitSettled();
    // Whether others took a task over, or its process was back before anybody had missed it.
    long last = begun;
    for (Timeline.Gap each : scene.gaps(tasks, begun, System.nanoTime())) {
      last = Math.max(last, each.to());
    }
    return (last - begun) / 1e9;
  }
}
