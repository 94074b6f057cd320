package dev.millrace.engine.loop;

import dev.millrace.spi.Clock;

/// How far a task's disk lies behind its changelog: what a recovery would replay.
final class DiskTail {
  private final Clock clock;

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

  DiskTail(Clock clock, long position) {
    this.clock = clock;
    this.position = position;
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

  /// When the last flush was done.
  long sinceNanos() {
    return sinceNanos;
  }
}
