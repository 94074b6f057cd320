package dev.millrace.examples.crash;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// One life of a [CrashedJob].
final class JobProcess implements AutoCloseable {
  private static final String HEAP = "256m";

  private final JavaProcess process;
  private final JobTrace trace;
  private final Aim aim;

  /// How a job is started.
  ///
  /// @param directory for its state, its traces and what it says
  /// @param planted whether with the bug
  record Start(
      String application,
      Path directory,
      int recordsPerSecond,
      boolean planted,
      List<String> settings) {

    Start withPace(int newRecordsPerSecond) {
      return new Start(application, directory, newRecordsPerSecond, planted, settings);
    }

    /// @param name of this life, unlike any other
    JobProcess life(String name, String... more) {
      return life(name, Aim.NOWHERE, more);
    }

    /// @param aim where it is to be killed
    JobProcess life(String name, Aim aim, String... more) {
      return new JobProcess(this, name, aim, more);
    }
  }

  private JobProcess(Start start, String name, Aim aim, String... more) {
    this.aim = aim;
    Path file = start.directory().resolve(name + ".trace");
    List<String> arguments = new ArrayList<>();
    arguments.add(start.application());
    arguments.add(file.toString());
    arguments.add(aim.toString());
    arguments.add(Integer.toString(start.recordsPerSecond()));
    arguments.add(start.planted() ? "planted" : "right");
    arguments.add("--state.directory=" + start.directory().resolve("state"));
    arguments.addAll(start.settings());
    arguments.addAll(List.of(more));
    trace = new JobTrace(file);
    process =
        new JavaProcess(
            HEAP, start.directory().resolve(name + ".err"), CrashedJob.class, arguments);
  }

  JobTrace trace() {
    return trace;
  }

  JavaProcess process() {
    return process;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  long commits() {
    return trace.count("commit ended");
  }

  /// Waits for so many commits of this life.
  ///
  /// @return whether they came before its end
  boolean awaitCommits(long commits) {
    return trace.await(() -> commits() >= commits, this::isAlive);
  }

  /// Waits until it is where it is to be killed.
  ///
  /// @return whether it came there before its end
  boolean awaitAim() {
    return trace.await(
        () -> {
          Aim.Watch watch = aim.new Watch();
          return trace.lines().stream().map(JobTrace.Line::event).anyMatch(watch::isHitBy);
        },
        this::isAlive);
  }

  /// Waits for its end, as long as it does something.
  ///
  /// @return its status
  int awaitEnd() throws InterruptedException {
    trace.await(
        () -> {
          trace.lines();
          return !isAlive();
        },
        () -> true);
    return process.await(0);
  }

  /// From now on it reads as fast as it can.
  void hurry() {
    process.nudge();
  }

  @Override
  public void close() throws InterruptedException {
    process.close();
  }
}
