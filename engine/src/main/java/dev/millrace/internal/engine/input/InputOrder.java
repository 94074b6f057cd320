package dev.millrace.internal.engine.input;

import java.util.List;

/// How the reading of one input depends on that of others. A stream waits until the tables are read
/// that it is joined with, a partition that was added to a topic until those are read in which its
/// keys lay before; and while the inputs of a stage catch up, none gets far ahead of the others in
/// event time; see [Alignment].
public final class InputOrder {
  private final TaskInput input;

  /// What is read before this one.
  private List<TaskInput> before = List.of();

  /// How far others wait for it; -1 if none does.
  private long awaitedEnd = -1;

  /// Since when it has nothing to process although it is not at its end; -1 if it has.
  private long dryNanos = -1;

  InputOrder(TaskInput input) {
    this.input = input;
  }

  /// Has others wait until the input is read up to an offset, or to its end if it is bounded.
  ///
  /// @return how far they wait for it
  long await(long offset) {
    awaitedEnd = input.end() < 0 ? offset : input.end();
    return awaitedEnd;
  }

  /// Whether the input was read as far as others wait for it.
  private boolean isCaughtUp() {
    return input.inMemory() || input.position().offset() >= awaitedEnd || input.ended();
  }

  /// Returns how many offsets are left until others do not wait for the input any more.
  long awaited() {
    return isCaughtUp() ? 0 : awaitedEnd - input.position().offset();
  }

  /// Has the input wait until others are read as far as they are awaited.
  void waitFor(List<TaskInput> others) {
    before = others;
  }

  /// Whether the input waits for others: nothing of it may be processed.
  public boolean isHeld() {
    for (int i = 0, count = before.size(); i < count; i++) {
      if (!before.get(i).order().isCaughtUp()) {
        return true;
      }
    }
    return false;
  }

  /// Whether the input has records to read that others of its stage wait for.
  ///
  /// @param patienceNanos for how long they are waited for where they do not come
  public boolean catchesUp(EndOffsets ends, long nowNanos, long patienceNanos) {
    if (input.hasWaiting()) {
      dryNanos = -1;
      return mayBeAligned();
    }
    if (!mayBeAligned()) {
      return false;
    }
    long known = ends.endOffset(input.split());
    if (known >= 0 && input.position().offset() >= known) {
      dryNanos = -1;
      return false;
    }
    if (dryNanos < 0) {
      dryNanos = nowNanos;
    }
    return nowNanos - dryNanos < patienceNanos;
  }

  private boolean mayBeAligned() {
    return !input.isBroadcast() && !input.inMemory() && !input.ended();
  }

  /// Whether the input may be made to wait for others in event time: not while others wait for it,
  /// as for a table.
  public boolean mayBeHeld() {
    return mayBeAligned() && isCaughtUp();
  }
}
