package dev.millrace.testkit.log;

import dev.millrace.spi.RecordBatch;
import dev.millrace.spi.Split;

/// Gives out batches that are overwritten when they are released, and never used again: whoever
/// kept a view reads rubbish.
final class Batches {
  private int out;

  RecordBatch take(Split split, byte[] detail, long firstOffset) {
    out++;
    return new RecordBatch(this::recycle, 16, 512).reset(split, detail, firstOffset);
  }

  private void recycle(RecordBatch batch) {
    out--;
    batch.poison();
  }

  /// The number of batches that were not released yet.
  int out() {
    return out;
  }
}
