package dev.millrace.benchmarks.containers;

import dev.millrace.benchmarks.containers.Finding.Goal;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/// A rolling restart: each of four containers is stopped in order and started again, one after the
/// other, as where an application is deployed.
final class RollingRow implements RowPlay {
  private static final double SECONDS = 3;

  @Override
  public void play(Stage stage)
      throws InterruptedException, TimeoutException, ExecutionException, IOException {
    play(stage, "one host", false);
    if (!stage.setup().isQuick()) {
      play(stage, "a host each", true);
    }
  }

  private static void play(Stage stage, String name, boolean apart)
      throws InterruptedException, TimeoutException, ExecutionException, IOException {
    int containers = stage.setup().isQuick() ? 2 : 4;
    Fleet.Options fleet = stage.setup().fleet(0, apart);
    try (Scene scene = stage.open(name, stage.setup().setting(containers, fleet))) {
      scene.beginLoad();
      long begun = System.nanoTime();
      for (int slot = 0; slot < containers; slot++) {
        scene.say("restarting container %d".formatted(slot));
        scene.fleet().stop(slot);
        scene.fleet().start(slot);
        scene.awaitSettled();
      }
      long ended = System.nanoTime();
      stage.add(name, "all of it", "s", Goal.NONE, (ended - begun) / 1e9);
      for (Timeline.Gap gap : scene.gaps(scene.owners().keySet(), begun, ended)) {
        stage.add(name, "partition without rows", "s", Goal.mostIs(SECONDS), gap.seconds());
      }
      stage.check(name, scene);
    }
  }
}
