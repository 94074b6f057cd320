package dev.millrace.benchmarks.containers;

import dev.millrace.benchmarks.containers.Finding.Goal;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/// What those notice that have nothing to do with it: a container joins three others, leaves them
/// in order, and dies. Of the partitions whose container stays the same, the longest time without a
/// row is compared with an equal time before, in which nothing happens.
final class OthersRow implements RowPlay {
  private static final String NAME = "3 containers and 1";
  private static final int SLOT = 3;
  private static final int COMMITS = 2;

  @Override
  public void play(Stage stage)
      throws InterruptedException, TimeoutException, ExecutionException, IOException {
    Fleet.Options fleet = stage.setup().fleet(0, false);
    try (Scene scene = stage.open(NAME, stage.setup().setting(3, fleet))) {
      scene.beginLoad();
      for (int i = 0; i < stage.setup().repeats(); i++) {
        play(stage, scene, "join", () -> scene.fleet().start(SLOT));
        play(stage, scene, "leave", () -> scene.fleet().stop(SLOT));
        scene.fleet().start(SLOT);
        scene.awaitSettled();
        play(stage, scene, "die", () -> scene.fleet().kill(SLOT));
      }
      stage.check(NAME, scene);
    }
  }

  /// Does something to the container.
  private interface Deed {
    void run() throws InterruptedException, TimeoutException;
  }

  private static void play(Stage stage, Scene scene, String what, Deed deed)
      throws InterruptedException, TimeoutException {
    scene.say(what);
    Map<Integer, String> before = scene.owners();
    long begun = System.nanoTime();
    deed.run();
    scene.awaitSettled();
    long ended = System.nanoTime();
    Map<Integer, String> after = scene.owners();
    Set<Integer> moved = new HashSet<>();
    scene.decided().since(begun).stream()
        .filter(Decided.Change::isOfOwner)
        .forEach(each -> moved.add(each.task()));
    Collection<Integer> others = new ArrayList<>(after.keySet());
    others.removeIf(
        task -> moved.contains(task) || !Objects.equals(after.get(task), before.get(task)));
    Goal goal = Goal.mostIs(COMMITS * stage.setup().commitMillis() / 1e3);
    add(stage, what + ": partition of another", goal, scene.gaps(others, begun, ended));
    add(stage, what + ": partition that moves", Goal.NONE, scene.gaps(moved, begun, ended));
    // As long as that, with nothing done.
    Thread.sleep((ended - begun) / 1_000_000);
    long now = System.nanoTime();
    add(
        stage,
        what + ": partition while nothing happens",
        Goal.NONE,
        scene.gaps(others, ended, now));
  }

  private static void add(Stage stage, String what, Goal goal, List<Timeline.Gap> gaps) {
    gaps.forEach(gap -> stage.add(NAME, what, "s", goal, gap.seconds()));
  }
}
