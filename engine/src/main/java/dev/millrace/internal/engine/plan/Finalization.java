package dev.millrace.internal.engine.plan;

/// Whether a change that is being rolled out is finalized, so that the version before it needs to
/// read nothing any more. Thread-safe.
public final class Finalization {
  private volatile boolean done;

  /// Returns whether it is.
  public boolean isDone() {
    return done;
  }

  /// Says that it is, for ever.
  public void finish() {
    done = true;
  }
}
