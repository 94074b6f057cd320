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
