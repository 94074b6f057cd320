package dev.millrace;

import dev.millrace.internal.engine.Engine;
import java.time.Duration;
import java.util.SortedMap;

/// The right to all tasks at once, of the one member that has it.
///
/// @param version under which it was given
record WholeStanding(Membership membership, WholeJob whole, long version) implements Standing {
  @Override
  public void look() {
    membership.look();
  }

  @Override
  public SortedMap<String, String> otherVersions() {
    return membership.otherVersions();
  }

  @Override
  public void begun() {
    whole.begun();
  }

  @Override
  public boolean isSettled() {
    return membership.isSettled();
  }

  @Override
  public boolean isCompleted() {
    return membership.isCompleted();
  }

  @Override
  public boolean isToRestart() {
    return membership.isToRestart();
  }

  @Override
  public boolean isTakenAway() {
    return whole.given() != version;
  }

  /// Lets go of everything at once: nobody can become ready while the engine has all tasks.
  @Override
  public void leave(Duration handOver) {
    membership.leave(Duration.ZERO);
  }

  /// Returns true: the end of the engine is what lets go of the tasks.
  @Override
  public boolean mayEnd(Engine engine) {
    return true;
  }
}
