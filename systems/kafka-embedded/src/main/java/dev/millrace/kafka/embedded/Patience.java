package dev.millrace.kafka.embedded;

import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/// The time that a test waits for a condition before it fails: many times the time that an idle
/// machine needs, and longer on a busy one. If four threads compete for each processor, a second
/// counts as a quarter of a second.
///
/// For one wait, of one thread.
public final class Patience {
  private static final Duration PAUSE = Duration.ofMillis(10);

  /// However busy a machine seems: what waits longer does not end.
  private static final double MOST = 10;

  private static final OperatingSystemMXBean SYSTEM = ManagementFactory.getOperatingSystemMXBean();

  private final Duration usual;
  private final double usualNanos;
  private long lastNanos = System.nanoTime();
  private double usedNanos;

  private Patience(Duration usual) {
    this.usual = usual;
    usualNanos = usual.toNanos();
  }

  /// Begins to wait.
  ///
  /// @param usual how long on a machine that has nothing else to do
  public static Patience of(Duration usual) {
    return new Patience(usual);
  }

  /// Returns how long something may take as busy as the machine is.
  ///
  /// @param usual how long on a machine that has nothing else to do
  public static Duration grown(Duration usual) {
    return Duration.ofNanos((long) (usual.toNanos() * busy()));
  }

  /// Waits until a condition holds.
  ///
  /// @param what is awaited, for the message
  /// @throws AssertionError if it does not become so in time
  public static void await(String what, Duration usual, BooleanSupplier so) {
    Patience patience = of(usual);
    while (!so.getAsBoolean()) {
      if (patience.isOver()) {
        throw new AssertionError("%s does not happen within %s.".formatted(what, patience));
      }
      patience.pause();
    }
  }

  /// Returns whether the time is used up; to be asked again and again meanwhile.
  public boolean isOver() {
    long now = System.nanoTime();
    usedNanos += (now - lastNanos) / busy();
    lastNanos = now;
    return usedNanos > usualNanos;
  }

  /// Waits a moment.
  public void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while waiting", e);
    }
  }

  /// Returns how many threads want each processor, in the mean of the last minute; 1 if it is
  /// fewer.
  private static double busy() {
    double each = SYSTEM.getSystemLoadAverage() / SYSTEM.getAvailableProcessors();
    return Math.clamp(each, 1, MOST);
  }

  @Override
  public String toString() {
    return "%d s, and more where the machine was busy".formatted(usual.toSeconds());
  }
}
