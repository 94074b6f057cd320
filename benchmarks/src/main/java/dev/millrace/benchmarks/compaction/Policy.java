package dev.millrace.benchmarks.compaction;

import java.util.Map;
import java.util.TreeMap;

/// How eagerly the broker compacts a changelog: the three policies of Chronarakis et al., section
/// III-B, with its numbers. Millrace's own, `recovery.compaction`, have longer segments, which a
/// run of a minute would not see the end of.
public enum Policy {
  /// Not at all.
  NONE(Map.of("min.compaction.lag.ms", Long.toString(Long.MAX_VALUE))),
  /// Once two thirds are outdated.
  RELAXED(Map.of("min.cleanable.dirty.ratio", "0.66", "segment.ms", "1000")),
  /// As soon as anything is.
  AGGRESSIVE(Map.of("min.cleanable.dirty.ratio", "0.01", "segment.ms", "100"));

  /// After which a tombstone may go, too.
  private static final String TOMBSTONES_MILLIS = "100";

  private final Map<String, String> settings;

  Policy(Map<String, String> settings) {
    this.settings = settings;
  }

  /// Settings of the changelog topic.
  Map<String, String> settings() {
    Map<String, String> all = new TreeMap<>(settings);
    all.put("delete.retention.ms", TOMBSTONES_MILLIS);
    return all;
  }
}
