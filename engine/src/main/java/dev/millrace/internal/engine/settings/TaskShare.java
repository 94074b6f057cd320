package dev.millrace.internal.engine.settings;

import dev.millrace.internal.state.StateLimits;

/// What each task of a container may use of the memory, which changes as tasks come and go.
/// Thread-safe.
public final class TaskShare {
  private volatile StateLimits limits;

  /// @param limits of each task at first
  public TaskShare(StateLimits limits) {
    this.limits = limits;
  }

  /// Returns what each task may use now; another object after each change.
  public StateLimits limits() {
    return limits;
  }

  /// Sets what each task may use from now on. Tasks that are open follow within a second.
  public void limits(StateLimits newLimits) {
    limits = newLimits;
  }
}
