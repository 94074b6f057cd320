package dev.millrace.internal.engine.recovery;

import dev.millrace.spi.Clock;
import java.util.concurrent.TimeUnit;

/// How far a task's disk lies behind its changelog: what a recovery would replay.
final class DiskTail {
  /// A disk that stands still for this share of the time that deletions are kept in the changelog
  /// would soon be too old to be gone on from.
  private static final int SHARE_OF_DELETIONS = 8;

  private final Clock clock;
  private final long intervalNanos;
  private final long longestNanos;

  /// Where the disk stands, and since when.
  private long position;

  private long sinceNanos;

  /// Bytes of keys and values behind that.
  private long bytes;

  /// Those of the commit under way.
  private long pendingBytes;

  /// Where the disk will stand behind the flush under way, and what that takes off the tail.
  private long flushingPosition;

  private long flushingBytes;

  /// @param position where the disk stands
  DiskTail(DurableState.Shared shared, long position) {
    clock = shared.clock();
    this.position = position;
    // Either may be more than there are nanoseconds in a number.
    intervalNanos = TimeUnit.NANOSECONDS.convert(shared.flushInterval());
    longestNanos = TimeUnit.NANOSECONDS.convert(shared.job().deletionsKept()) / SHARE_OF_DELETIONS;
    sinceNanos = clock.nanos();
  }

  /// So much was read from the changelog.
  void restored(long count) {
    bytes += count;
  }

  void commitBegins() {
    pendingBytes = 0;
  }

  /// So much goes into the changelog with the commit under way.
  void pending(long count) {
    pendingBytes += count;
  }

  void committed() {
    bytes += pendingBytes;
  }

  /// A flush begins of all up to a position.
  void flushBegins(long upTo) {
    flushingPosition = upTo;
    flushingBytes = bytes;
  }

  /// The flush under way is done.
  void flushed() {
    position = flushingPosition;
    bytes -= flushingBytes;
    sinceNanos = clock.nanos();
  }

  long bytes() {
    return bytes;
  }

  /// Where the disk stands.
  long position() {
    return position;
  }

  /// Whether changes should go to disk.
  boolean isDue(long nowNanos) {
    return nowNanos - sinceNanos >= intervalNanos;
  }

  /// Whether at least the position should, if it is another one.
  boolean isOld(long nowNanos) {
    return nowNanos - sinceNanos >= longestNanos;
  }
}
