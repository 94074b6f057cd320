package dev.millrace.internal.engine.output;

import dev.millrace.internal.engine.exchange.DirectPort;
import dev.millrace.spi.Clock;
import java.time.Duration;
import java.util.function.LongConsumer;

/// Passes on what a worker's tasks send through memory: records, and between commits how far event
/// time has come.
///
/// Batches are sent when they are full, and every few milliseconds as they are: what comes of them,
/// windows that close among it, is done while others send more. A commit, for which all that is
/// under way must be processed, then finds little.
public final class DirectFlush {
  private static final long APART_NANOS = Duration.ofMillis(20).toNanos();

  private final DirectPort port;
  private final Clock clock;
  private final LongConsumer announce;
  private long passedNanos;

  /// @param announce has the tasks tell how far they have come in event time, at a time of day in
  ///   milliseconds since 1970
  public DirectFlush(DirectPort port, Clock clock, LongConsumer announce) {
    this.port = port;
    this.clock = clock;
    this.announce = announce;
  }

  /// @param atBarrier whether a commit's barrier is on its way, which tells event time itself
  /// @return whether anything was passed on
  public boolean step(long nowNanos, boolean atBarrier) {
    boolean any = port.handOver();
    if (atBarrier || !port.isUsed() || nowNanos - passedNanos < APART_NANOS) {
      return any;
    }
    passedNanos = nowNanos;
    announce.accept(clock.millis());
    return port.handOverAll() || any;
  }
}
