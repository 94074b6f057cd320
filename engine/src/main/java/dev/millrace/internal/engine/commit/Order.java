package dev.millrace.internal.engine.commit;

import dev.millrace.spi.Split;
import dev.millrace.spi.TransactionalWriter.WriterId;
import java.util.Map;
import java.util.Set;

/// What a commit group tells its members. Members carry orders out in the order they come.
public sealed interface Order {

  /// Open the disks that are not open, and replay the changelog up to these ends; then report
  /// [Report.Restored].
  record Restore(Map<Split, Long> ends) implements Order {}

  /// Process, from what was restored.
  record Begin() implements Order {}

  /// The barrier: hand over what changed up to here as [Report.Part] and go on, unless it is the
  /// last.
  ///
  /// @param writer whose transaction the part goes into
  /// @param leaving the tasks that are given away: what they hand over is their last
  record Collect(boolean last, WriterId writer, Set<Integer> leaving) implements Order {}

  /// The part handed over last is committed.
  ///
  /// @param ends the offsets behind the commit records, by changelog partition; only those written
  record Publish(Map<Split, Long> ends) implements Order {}

  /// Take over a task that is prepared, and process it.
  record Adopt(int task) implements Order {}

  /// Split a task with the next commit, if that is possible and was not done.
  ///
  /// @param part the number of the task that is split off
  record SplitOff(int task, int part) implements Order {}

  /// Let go of a task that somebody else owns now. What of it is not committed is dropped already.
  record Drop(int task) implements Order {}

  /// Drop everything that is not committed and wait.
  record RollBack() implements Order {}

  /// Let go of everything.
  ///
  /// @param orderly whether the committed layers should be brought to disk first
  record Close(boolean orderly) implements Order {}
}
