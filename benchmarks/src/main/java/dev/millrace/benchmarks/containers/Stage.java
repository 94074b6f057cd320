package dev.millrace.benchmarks.containers;

import dev.millrace.benchmarks.containers.ContainersBenchmark.Setup;
import dev.millrace.benchmarks.containers.Finding.Goal;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/// What a row is played on.
///
/// @param directory for all that is written; emptied by whoever made it
/// @param run from 1
record Stage(
    Rows row, Setup setup, int run, Path directory, Findings findings, Consumer<String> progress) {
  /// How many containers and tasks there are in a scene with large ones.
  static final int LARGE = 2;

  /// Opens a scene.
  ///
  /// @param name of its directory and for messages
  Scene open(String name, Scene.Setting setting)
      throws InterruptedException, TimeoutException, ExecutionException, IOException {
    return Scene.open(
        setting,
        directory.resolve(name.replace(' ', '-')),
        what -> progress.accept("%s, %s, run %d: %s".formatted(row, name, run, what)));
  }

  /// Opens a scene with two tasks of some 100 MB of state each, in two containers with a state
  /// directory of their own, as on a host of its own, so that state has to come from the changelog.
  ///
  /// @param name of its directory and for messages
  Scene openLarge(String name)
      throws InterruptedException, TimeoutException, ExecutionException, IOException {
    int keys = setup.handoverKeys();
    add(name, "state of a task", "MB", Goal.NONE, keys * 150 / 1e6 / LARGE);
    return open(name, new Scene.Setting(LARGE, LARGE, keys, setup.rate(), setup.fleet(0, true)));
  }

  void add(String scene, String what, String unit, Goal goal, double sample) {
    findings.add(row, scene, what, unit, goal, sample);
  }

  /// Ends the load of a scene, and adds what is wrong of its output.
  void check(String name, Scene scene) throws InterruptedException, TimeoutException {
    Expected.Wrong wrong = scene.endLoad();
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    add(name, "load of the machine", "", Goal.NONE, load);
    add(name, "events", "", Goal.NONE, scene.expected().events());
    add(name, "lost", "events", Goal.mostIs(0), (double) wrong.lost());
    add(name, "doubled", "rows", Goal.mostIs(0), (double) wrong.doubled());
    add(name, "wrong", "rows", Goal.mostIs(0), (double) wrong.wrong());
    add(name, "wrong at the end", "keys", Goal.mostIs(0), (double) wrong.keys());
  }
}
