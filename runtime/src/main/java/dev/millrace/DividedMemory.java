package dev.millrace;

import dev.millrace.internal.engine.Engine;
import dev.millrace.internal.engine.recovery.Follower;
import java.util.Objects;

/// Divides the memory of state anew when the number of tasks in this process has changed. Used by
/// one thread.
final class DividedMemory implements Runnable {
  private final Engine engine;
  private final Follower follower;
  private final MemoryShares shares;
  private int divided;

  /// @param engine whose tasks come and go
  DividedMemory(Engine engine, MemoryShares shares) {
    this.engine = engine;
    this.shares = shares;
    follower = Objects.requireNonNull(engine.follower());
  }

  @Override
  public void run() {
    int tasks = Math.max(1, engine.held().size() + follower.following().size());
    if (tasks != divided) {
      divided = tasks;
      engine.share(shares.limits(tasks).ofTask());
    }
  }
}
