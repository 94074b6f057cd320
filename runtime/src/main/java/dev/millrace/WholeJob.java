package dev.millrace;

import dev.millrace.internal.cluster.Hands;
import dev.millrace.internal.cluster.live.Report;
import dev.millrace.internal.cluster.live.Report.State;
import dev.millrace.internal.cluster.place.Bundles;
import java.util.List;

/// All tasks of an application as one bundle, which one process has: those whose exchanges go
/// through its memory. The others have nothing, and take it over when it is gone. Thread-safe.
final class WholeJob implements Hands {
  static final int BUNDLE = Bundles.WHOLE;

  private State state = State.STORED;
  private boolean follows;

  /// Whether there is an engine, or one is being made.
  private boolean runs;

  private long version;

  @Override
  public synchronized void take(int bundle, long newVersion, boolean force) {
    version = newVersion; // whoever claims its tasks under a version bars all others in any case
    if (!state.isHeld()) {
      state = State.TAKING;
    }
  }

  @Override
  public synchronized void give(int bundle) {
    state = runs ? State.LEAVING : State.STORED;
  }

  /// Nothing is followed: whoever is to have it next could take it at once.
  @Override
  public synchronized void follow(int bundle) {
    follows = true;
  }

  /// All tasks are one bundle, of which nothing is split off.
  @Override
  public void knows(int part, int parent) {}

  @Override
  public String whyNotSplit(int bundle) {
    return "With exchanges through memory all tasks are in one process, so splitting one would not"
        + " relieve it.";
  }

  @Override
  public int addBundle(int least) {
    throw new IllegalStateException("All tasks are one bundle, so there is none beside it.");
  }

  @Override
  public void split(int bundle, int part) {
    throw new IllegalStateException("Bundle " + bundle + " cannot be split.");
  }

  @Override
  public synchronized void forget(int bundle) {
    follows = false;
  }

  @Override
  public synchronized List<Report> reports() {
    State told = state == State.STORED && follows ? State.FOLLOWING : state;
    return List.of(new Report(BUNDLE, told, version, told == State.FOLLOWING ? 0 : -1, 0, 0));
  }

  /// Returns the version under which this process was given the bundle; -1 if it was not.
  synchronized long given() {
    return state == State.TAKING || state == State.OWNER ? version : -1;
  }

  /// Tells that an engine is about to be made; [#ended] follows.
  ///
  /// @return [#given]
  synchronized long begin() {
    runs = given() >= 0;
    return given();
  }

  /// Tells that all tasks are at work.
  synchronized void begun() {
    state = state == State.TAKING ? State.OWNER : state;
  }

  /// Tells that nothing runs any more.
  ///
  /// @param completed whether all input has ended, and everything is committed
  synchronized void ended(boolean completed) {
    runs = false;
    if (state == State.LEAVING) {
      state = State.STORED;
    } else if (state.isHeld()) {
      state = completed ? State.DONE : State.TAKING; // it is this process's still
    }
  }
}
