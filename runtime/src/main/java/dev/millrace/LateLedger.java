package dev.millrace;

import dev.millrace.spi.job.LateRecords;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// The late records of an operator with windows, as far as one process knows them; see [Job#late].
///
/// @param windows by their starts; those that nothing came late for are not there
/// @param partitions whose tasks the process has, and whose records are told of
/// @param of how many there are over all processes
public record LateLedger(
    SortedMap<Instant, LateRecords> windows, SortedSet<Integer> partitions, int of) {

  public LateLedger {
    windows = Collections.unmodifiableSortedMap(new TreeMap<>(windows));
    partitions = Collections.unmodifiableSortedSet(new TreeSet<>(partitions));
  }

  /// Whether all partitions are told of.
  public boolean isComplete() {
    return partitions.size() == of;
  }
}
