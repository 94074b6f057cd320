package dev.millrace;

import dev.millrace.spi.job.LateRecords;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Counts of the late records of an operator with windows, for the tasks of one process; see
/// [Job#late].
///
/// @param windows counts by the start of the window; windows without late records are absent
/// @param partitions the partitions whose tasks this process has, and which are counted
/// @param of the number of partitions over all processes
public record LateLedger(
    SortedMap<Instant, LateRecords> windows, SortedSet<Integer> partitions, int of) {

  public LateLedger {
    windows = Collections.unmodifiableSortedMap(new TreeMap<>(windows));
    partitions = Collections.unmodifiableSortedSet(new TreeSet<>(partitions));
  }

  /// Returns whether all partitions are counted.
  public boolean isComplete() {
    return partitions.size() == of;
  }
}
