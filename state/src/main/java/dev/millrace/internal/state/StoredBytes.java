package dev.millrace.internal.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Disk;
import org.jspecify.annotations.Nullable;

/// Tells how many bytes entries take on the disk, where they may be compressed, while they are read
/// in the order of their keys. The disk is asked now and then how large the last range of keys is,
/// and what is read next is taken to be as dense.
final class StoredBytes {
  /// After so many bytes of keys and values the disk is asked.
  private static final long LOOK_BYTES = 4L << 20;

  private double density = 1;
  private double ofStep;
  private double budget;

  /// The first key of the range that is measured next, and what was read of it.
  private @Nullable Bytes start;

  private long sinceStart;

  /// Begins a step.
  ///
  /// @param bytes on the disk after which they are enough
  void begin(long bytes) {
    ofStep = 0;
    budget = bytes;
  }

  /// Tells that entries are read from a key on.
  void from(Bytes key) {
    if (start == null) {
      start = key;
      sinceStart = 0;
    }
  }

  /// Tells of keys and values that were read.
  void read(long bytes) {
    ofStep += bytes * density;
    sinceStart += bytes;
  }

  boolean areEnough() {
    return ofStep >= budget;
  }

  long ofStep() {
    return Math.round(ofStep);
  }

  /// Asks the disk, if enough was read since it was asked.
  ///
  /// @param next the first key that was not read
  void measure(Disk disk, Bytes next) {
    Bytes first = start;
    if (first != null && sinceStart >= LOOK_BYTES) {
      density = Math.min(1, (double) disk.sizeBytes(first, next) / sinceStart);
      restart();
    }
  }

  /// Forgets the range: reading goes on elsewhere.
  void restart() {
    start = null;
  }
}
