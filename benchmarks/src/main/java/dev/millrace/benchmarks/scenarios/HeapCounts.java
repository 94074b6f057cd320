package dev.millrace.benchmarks.scenarios;

import java.util.HashMap;
import java.util.Map;

/// In a hash map.
final class HeapCounts implements Counts {
  private final Map<Long, long[]> counts = new HashMap<>();

  @Override
  public void add(byte[] key) {
    counts.computeIfAbsent(Event.toLong(key, 0), _ -> new long[1])[0]++;
  }

  @Override
  public long get(byte[] key) {
    long[] count = counts.get(Event.toLong(key, 0));
    return count == null ? 0 : count[0];
  }

  @Override
  public void close() {}
}
