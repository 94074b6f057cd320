package dev.millrace.benchmarks.containers;

import dev.millrace.benchmarks.change.peer.Padding;
import dev.millrace.benchmarks.containers.Finding.Goal;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/// Restarts drawn by a seed: a container is stopped in order or killed, and started again with its
/// state directory, which no other has. What counts is the share of its tasks that it has again
/// once everything has settled, so that their state need not come from the changelog.
final class RestartsRow implements RowPlay {
  private static final String NAME = "a host each";
  private static final int CONTAINERS = 4;
  private static final double SHARE = 90;

  @Override
  public void play(Stage stage)
      throws InterruptedException, TimeoutException, ExecutionException, IOException {
    Fleet.Options fleet = stage.setup().fleet(0, true);
    try (Scene scene = stage.open(NAME, stage.setup().setting(CONTAINERS, fleet))) {
      scene.beginLoad();
      long back = 0;
      long of = 0;
      for (int i = 0; i < stage.setup().restarts(); i++) {
        long drawn = Padding.mixed(1_000L * stage.run() + i) >>> 1;
        int slot = (int) (drawn % CONTAINERS);
        boolean kill = drawn / CONTAINERS % 2 == 0;
        scene.say("restart %d of %d".formatted(i + 1, stage.setup().restarts()));
        Set<Integer> before = scene.tasksOf(scene.fleet().name(slot));
        if (kill) {
          scene.fleet().kill(slot);
        } else {
          scene.fleet().stop(slot);
        }
        scene.fleet().start(slot);
        scene.awaitSettled();
        Set<Integer> after = scene.tasksOf(scene.fleet().name(slot));
        long again = before.stream().filter(after::contains).count();
        back += again;
        of += before.size();
        stage.add(
            NAME,
            kill ? "tasks that are back, killed" : "tasks that are back, stopped",
            "%",
            Goal.NONE,
            100.0 * again / before.size());
      }
      stage.add(
          NAME, "tasks that are back, of all", "%", Goal.medianIsAtLeast(SHARE), 100.0 * back / of);
      stage.check(NAME, scene);
    }
  }
}
