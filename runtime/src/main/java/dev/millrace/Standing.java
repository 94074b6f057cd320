package dev.millrace;

import dev.millrace.internal.engine.Engine;
import java.time.Duration;
import java.util.SortedMap;

/// What gives this process a right to the tasks that its engine runs. Used by the control thread.
interface Standing {
  /// Looks what has become of it; to be called now and then while the engine runs.
  ///
  /// @throws RuntimeException if this process cannot take part any more
  void look();

  /// Returns the plans of other processes of the application that run another version, by what the
  /// processes are called.
  SortedMap<String, String> otherVersions();

  /// Takes in that the tasks which the engine has are at work.
  void begun();

  /// Returns whether this process has what it is to have.
  boolean isSettled();

  /// Returns whether the job is to end because nothing is left to be done.
  boolean isCompleted();

  /// Returns whether the job is to end so that this process can be restarted.
  boolean isToRestart();

  /// Returns whether the engine is to end although the job goes on.
  boolean isTakenAway();

  /// Begins to let go of everything, because the job ends.
  ///
  /// @param handOver how long others may take to become ready for its tasks
  void leave(Duration handOver);

  /// Returns whether the engine may end now that the job is to end.
  boolean mayEnd(Engine engine);
}
