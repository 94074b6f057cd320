package dev.millrace.internal.yarn.fleet;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The place of one process of an application.
final class Slot {
  /// What there is of it.
  enum State {
    /// Nothing, until it is asked for.
    RESTING,
    /// It is asked for.
    ASKED,
    /// It has a container.
    RUNNING,
    /// It had one when the former master was there, of which the new one has not heard yet.
    MISSING,
    /// It is not started again.
    OVER
  }

  final int number;
  State state = State.RESTING;

  /// Where it ran last, so where its state is.
  @Nullable String home;

  @Nullable String container;

  /// Of its ask.
  long ask;

  /// Where it is asked for; null for anywhere.
  @Nullable String wanted;

  boolean strict;

  /// When this state began; while it rests, when that ends.
  long sinceMillis;

  /// Failures without a long life between them.
  int failures;

  int status;

  Slot(int number) {
    this.number = number;
  }

  void rest(long untilMillis) {
    state = State.RESTING;
    container = null;
    sinceMillis = untilMillis;
  }

  void over(int withStatus) {
    state = State.OVER;
    container = null;
    status = withStatus;
  }

  /// Returns the pause after so many failures.
  Duration pause(FleetPolicy policy) {
    Duration pause = policy.shortestPause();
    for (int i = 1; i < failures && pause.compareTo(policy.longestPause()) < 0; i++) {
      pause = pause.multipliedBy(2);
    }
    return pause.compareTo(policy.longestPause()) < 0 ? pause : policy.longestPause();
  }
}
