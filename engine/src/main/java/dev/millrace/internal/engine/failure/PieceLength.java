package dev.millrace.internal.engine.failure;

import dev.millrace.internal.engine.input.SliceLength;

/// How many records of a task go through its operators together where some of them fail: few where
/// many do, for the others of a piece in which one fails are processed once more.
final class PieceLength {
  /// So many pieces fit between two bad records.
  private static final int PIECES = 8;

  /// After so many records of which none has failed, the next failure is taken for a new beginning.
  static final int CLEAN = 1 << 18;

  private int records = SliceLength.MOST;

  /// How many were processed since the last that failed.
  private long clean = CLEAN;

  int records() {
    return records;
  }

  /// Whether none has failed for long.
  boolean isClean() {
    return clean >= CLEAN;
  }

  /// A piece has gone through.
  void went(int processed) {
    if (clean < CLEAN) {
      clean += processed;
      records = Math.min(SliceLength.MOST, records + records / 16 + 1);
    }
  }

  /// A piece has failed.
  ///
  /// @param before how many of its records are known to be in front of the one that failed
  void failed(int before) {
    records = Math.clamp((clean + before) / PIECES, 1, records);
    clean = 0;
  }
}
