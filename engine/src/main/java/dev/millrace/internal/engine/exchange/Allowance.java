package dev.millrace.internal.engine.exchange;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/// How much each worker may have under way in a direct exchange: so much that it is processed in a
/// short time, however fast that is, for a commit waits for it.
///
/// Workers say how long a commit had to wait for them; the first of them, when the next commit
/// begins, makes of it what holds until then. Thread-safe.
final class Allowance {
  /// More than this is too long.
  private static final long LONGEST_NANOS = Duration.ofMillis(25).toNanos();

  private static final long LEAST_BYTES = 16 << 10;
  private static final long FIRST_BYTES = 1 << 20;

  /// Behind a failure, which a wait that was much too long may have caused.
  private static final int LESS = 8;

  private final long mostBytes;
  private final AtomicLong longestNanos = new AtomicLong();
  private volatile boolean reached;
  private volatile long bytes;

  Allowance(long mostBytes) {
    this.mostBytes = mostBytes;
    bytes = within(FIRST_BYTES);
  }

  private long within(long wanted) {
    return Math.min(mostBytes, Math.max(LEAST_BYTES, wanted));
  }

  long bytes() {
    return bytes;
  }

  /// Somebody could have sent more.
  void reached() {
    if (!reached) {
      reached = true;
    }
  }

  /// A commit had to wait so long for a worker.
  void waited(long nanos) {
    longestNanos.accumulateAndGet(nanos, Math::max);
  }

  /// Another commit begins. For the first worker.
  void adapt() {
    long nanos = longestNanos.getAndSet(0);
    boolean more = reached;
    reached = false;
    if (nanos > LONGEST_NANOS) {
      bytes = within((long) ((double) bytes * LONGEST_NANOS / nanos));
    } else if (more && nanos < LONGEST_NANOS / 2) {
      bytes = within(bytes * 2);
    }
  }

  /// All went back to the last commit. For the first worker.
  void failed() {
    longestNanos.set(0);
    reached = false;
    bytes = within(bytes / LESS);
  }
}
