package dev.millrace.benchmarks.process;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/// Waits until a process has measured itself: as long as it says that it goes on.
///
/// @param patience how long it may say nothing new
/// @param things that it processes, in messages: `records`
public record Waiting(Duration patience, String things, Consumer<String> progress) {
  /// What a process tells of that it did to warm up.
  public static final String REHEARSED = "rehearsed";

  private static final long LOOK_MILLIS = 50;

  /// @param all how many things there are
  /// @param what is measured, in messages
  /// @throws IllegalStateException if it ends before
  public void awaitMeasured(Child child, long all, String what)
      throws InterruptedException, TimeoutException {
    long last = -1;
    long since = System.nanoTime();
    while (child.told("measured").isEmpty()) {
      child.requireAlive();
      long rehearsed = child.number(REHEARSED);
      long processed = child.number("processed");
      if (rehearsed + processed != last) {
        last = rehearsed + processed;
        since = System.nanoTime();
      } else if (System.nanoTime() - since > patience.toNanos()) {
        throw new TimeoutException(
            "%s: %,d of %,d %s were processed, without progress for %d s; its last output: %s"
                .formatted(what, processed, all, things, patience.toSeconds(), child.lastErrors()));
      }
      progress.accept(
          processed == 0 && rehearsed > 0
              ? "%s: %,d %s to warm up".formatted(what, rehearsed, things)
              : "%s: %,d of %,d %s".formatted(what, processed, all, things));
      Thread.sleep(LOOK_MILLIS);
    }
  }
}
