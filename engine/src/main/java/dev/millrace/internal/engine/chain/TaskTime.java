package dev.millrace.internal.engine.chain;

import dev.millrace.internal.engine.time.InputTime;

/// The watermark that all operators of a task have come to.
final class TaskTime {
  private long watermark = InputTime.UNKNOWN;

  long watermark() {
    return watermark;
  }

  void come(long newWatermark) {
    watermark = newWatermark;
  }
}
