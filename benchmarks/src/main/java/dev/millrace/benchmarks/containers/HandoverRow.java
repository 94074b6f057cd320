package dev.millrace.benchmarks.containers;

import dev.millrace.benchmarks.containers.Decided.Change;
import dev.millrace.benchmarks.containers.Finding.Goal;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/// Planned hand-overs of [two large tasks][Stage#openLarge]: two containers are drained, one after
/// the other, and get their tasks back.
final class HandoverRow implements RowPlay {
  private static final String NAME = "drained and undrained";
  private static final double P99_SECONDS = 0.3;
  private static final double LONGEST_SECONDS = 1;

  /// From the order to give a task up to that of its next owner, a second more on both sides.
  private static final long AROUND_NANOS = 1_000_000_000;

  @Override
  public void play(Stage stage)
      throws InterruptedException, TimeoutException, ExecutionException, IOException {
    try (Scene scene = stage.openLarge(NAME)) {
      scene.beginLoad();
      long begun = System.nanoTime();
      double cpu = scene.allCpu();
      for (int moves = 0, i = 0; moves < stage.setup().moves(); i++) {
        int slot = i % Stage.LARGE;
        scene.fleet().drain(slot, true);
        scene.awaitSettled();
        scene.fleet().drain(slot, false);
        scene.awaitSettled();
        moves = (int) scene.decided().since(begun).stream().filter(Change::isOfOwner).count();
        scene.say("%d of %d moves".formatted(moves, stage.setup().moves()));
      }
      double seconds = (System.nanoTime() - begun) / 1e9;
      stage.add(
          NAME,
          "processors of containers and Kafka",
          "",
          Goal.NONE,
          (scene.allCpu() - cpu) / seconds);
      pauses(stage, scene, begun);
      stage.check(NAME, scene);
    }
  }

  private static void pauses(Stage stage, Scene scene, long begun) throws InterruptedException {
    Thread.sleep(AROUND_NANOS / 1_000_000);
    List<Change> changes = scene.decided().since(begun);
    Map<Integer, Long> giving = new HashMap<>();
    for (Change each : changes) {
      if (each.now().giving() && !each.before().giving()) {
        giving.put(each.task(), each.nanos());
      }
      if (each.isOfOwner() && !each.now().owner().isEmpty()) {
        long from = giving.getOrDefault(each.task(), each.nanos());
        Timeline.Gap gap = scene.arrivals().longest(each.task(), from, each.nanos() + AROUND_NANOS);
        double pause = gap.seconds();
        stage.add(
            NAME, "from the order to the last row", "s", Goal.NONE, seconds(from, gap.from()));
        stage.add(
            NAME,
            "from the last row to the next owner's name",
            "s",
            Goal.NONE,
            seconds(gap.from(), each.nanos()));
        stage.add(NAME, "pause of the task", "s", Goal.p99Is(P99_SECONDS), pause);
        stage.add(NAME, "pause, the longest", "s", Goal.mostIs(LONGEST_SECONDS), pause);
      }
    }
  }

  private static double seconds(long from, long to) {
    return (to - from) / 1e9;
  }
}
