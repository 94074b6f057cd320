package dev.millrace.benchmarks.containers;

import dev.millrace.benchmarks.containers.Finding.Goal;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/// [Two large tasks][Stage#openLarge] are split under load, one after the other.
final class SplitRow implements RowPlay {
  private static final String NAME = "two tasks of two containers";
  private static final double LONGEST_SECONDS = 1;

  /// What has to do with a split, from the order to do it.
  private static final long AFTER_NANOS = 5_000_000_000L;

  @Override
  public void play(Stage stage)
      throws InterruptedException, TimeoutException, ExecutionException, IOException {
    try (Scene scene = stage.openLarge(NAME)) {
      scene.beginLoad();
      for (int task = 0; task < Stage.LARGE; task++) {
        split(stage, scene, task);
        scene.awaitSettled();
      }
      stage.check(NAME, scene);
    }
  }

  private static boolean isOver(long since) {
    return since < Long.MAX_VALUE && System.nanoTime() - since > AFTER_NANOS;
  }

  private static void split(Stage stage, Scene scene, int task)
      throws InterruptedException, TimeoutException {
    long asked = System.nanoTime();
    scene.say("splitting task " + task);
    scene.decided().split(task);
    scene.await(
        () -> isOver(scene.decided().splitSince(task)),
        () -> "task %d, of %s, is not split".formatted(task, scene.decided().seats()));
    long split = scene.decided().splitSince(task);
    stage.add(
        NAME,
        "from the wish until the new task has its state",
        "s",
        Goal.NONE,
        (split - asked) / 1e9);
    for (boolean others : new boolean[] {false, true}) {
      stage.add(
          NAME,
          others ? "pause of the new task's keys" : "pause of the old task's keys",
          "s",
          Goal.mostIs(LONGEST_SECONDS),
          scene.arrivals().longest(task, others, split, split + AFTER_NANOS).seconds());
    }
  }
}
