package dev.millrace.kafka.embedded;

import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/// How long a test waits for something before it fails: a time that a machine with nothing else to
/// do would need many times over, and longer where the machine is busy. Where four threads want
/// each processor, a second uses up a quarter of a second of it.
///
/// For one wait, by one thread.
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

  /// How long something may take as busy as the machine is.
  ///
  /// @param usual how long on a machine that has nothing else to do
  public static Duration grown(Duration usual) {
    return Duration.ofNanos((long) (usual.toNanos() * busy()));
  }

  /// Waits until something is so.
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

  /// Whether the time is used up; to be asked again and again meanwhile.
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

  /// How many threads want each processor, in the mean of the last minute; 1 if it is fewer.
  private static double busy() {
    double each = SYSTEM.getSystemLoadAverage() / SYSTEM.getAvailableProcessors();
    return Math.clamp(each, 1, MOST);
  }

  @Override
  public String toString() {
    return "%d s, and more where the machine was busy".formatted(usual.toSeconds());
  }
}
