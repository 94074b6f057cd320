package dev.millrace.internal.engine.metrics;

import java.util.Locale;

/// What a worker does besides processing rows in an operator.
public enum Activity {
  /// It waits for records of its inputs.
  WAIT_INPUT,
  /// It has records, and waits for room for what comes of them: what leaves waits for the log, or
  /// for the next stage.
  WAIT_ROOM,
  /// It waits for the answers of other systems.
  WAIT_ANSWERS,
  /// It waits for a commit that others take part in, or that makes room for changed state.
  WAIT_COMMIT,
  /// It takes over what was fetched.
  FETCH,
  /// It hands over what leaves and what has changed, and takes part in commits.
  COMMIT,
  /// It begins or finishes a flush.
  FLUSH,
  /// It starts, restores state, goes back to the last commit, or ends.
  RESTORE,
  /// Anything else between two pieces of work.
  OTHER;

  private static final Activity[] ALL = values();

  /// The one with a number.
  public static Activity of(int number) {
    return ALL[number];
  }

  /// Its place among all, from 0.
  @SuppressWarnings("EnumOrdinal") // known to one process only, and never kept
  public int number() {
    return ordinal();
  }

  /// As labels of metrics have it, such as `wait-input`.
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// Whether it has nothing to do meanwhile.
  public boolean waits() {
    return compareTo(FETCH) < 0;
  }
}
