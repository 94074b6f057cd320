package dev.millrace.internal.engine.recovery;

import dev.millrace.internal.engine.plan.Plan;
import dev.millrace.spi.Split;

/// What a person can do where a job cannot go on from what it has: with the commands that do it.
public final class Remedies {
  private Remedies() {}

  /// The application begins without what it keeps; what it has read and written stays.
  public static String beginAnew(String application) {
    return "To start again without the state: millrace app reset %s --to earliest, or latest, or a time (with --bootstrap and --state); it prints what it would do, and does it with --yes."
        .formatted(application);
  }

  /// The application goes on with what it keeps, and passes over what a topic has lost.
  ///
  /// @param start the first offset that the split still has
  public static String passOver(String application, Split split, long start) {
    return "To continue with the state, and skip the records that are gone: millrace app reset %s --keep-state --to %s:%d:%d (with --bootstrap and --state); it prints what it would do, and does it with --yes."
        .formatted(application, split.stream(), split.partition(), start);
  }

  /// Only what is on this host is dropped; it is restored from the changelog.
  public static String dropLocalState(String application) {
    return "to continue from the content of the changelog, remove the local state of each host: rm -r %s in state.directory."
        .formatted(application);
  }

  /// Returns what to say of a task whose state is ahead of its changelog.
  ///
  /// @param position of the state in the changelog
  /// @param end of the changelog
  public static String lostEnd(
      Plan.TaskId task, long position, Split changelog, long end, String application) {
    return "The state of task %s is at offset %d of %s, which ends at %d: records of the changelog were lost."
            .formatted(task, position, changelog, end)
        + " Restore the topic; or, "
        + dropLocalState(application);
  }
}
