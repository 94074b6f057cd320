package dev.millrace.benchmarks.compaction;

import dev.millrace.benchmarks.scenarios.Event;

/// What a window gives for a key when it closes: its start and a count, in sixteen bytes.
record WindowCount(long startMillis, long count) {
  byte[] toBytes() {
    byte[] bytes = new byte[2 * Long.BYTES];
    Event.put(bytes, 0, startMillis);
    Event.put(bytes, Long.BYTES, count);
    return bytes;
  }

  static WindowCount of(byte[] bytes) {
    return new WindowCount(Event.toLong(bytes, 0), Event.toLong(bytes, Long.BYTES));
  }
}
