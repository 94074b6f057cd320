package dev.millrace.internal.engine.rest;

import java.util.function.BooleanSupplier;

/// Lets a thread wait for something else and be woken by what comes to it meanwhile. Nothing that
/// comes is missed: it first says that it waits, and then looks once more.
///
/// The waiting thread calls [#begin] and [#end], others [#wake].
public final class Rest {
  private final BooleanSupplier there;
  private volatile boolean rests;
  private volatile Runnable wakeup = () -> {};

  /// @param there tells whether something has come; called by the waiting thread
  public Rest(BooleanSupplier there) {
    this.there = there;
  }

  /// Says what ends the wait early; thread-safe.
  public void wakeup(Runnable newWakeup) {
    wakeup = newWakeup;
  }

  /// Says that the thread is about to wait.
  ///
  /// @return false if something is there already
  public boolean begin() {
    rests = true;
    if (there.getAsBoolean()) {
      rests = false;
      return false;
    }
    return true;
  }

  /// Says that it does not wait any more.
  public void end() {
    if (rests) {
      rests = false;
    }
  }

  /// Wakes it if it waits: something has come.
  public void wake() {
    if (rests) {
      rests = false;
      wakeup.run();
    }
  }

  /// Wakes it in any case, or has its next wait end.
  public void wakeNow() {
    wakeup.run();
  }
}
