package dev.millrace.internal.beam.operators;

/// The clock by which the timers of a DoFn fire whose input is stable: in each task it stands where
/// what was released to the DoFn says, so that they fire at the same place again.
public final class StableClock {
  private final long[] millis;

  /// @param parallelism how many tasks the DoFn has
  public StableClock(int parallelism) {
    millis = new long[parallelism];
  }

  /// Returns the time in a task, in milliseconds since 1970. Only its own thread asks.
  long millis(int task) {
    return millis[task];
  }

  void set(int task, long now) {
    millis[task] = now;
  }
}
