package dev.millrace.benchmarks.compaction;

import java.util.List;

/// What one run of a case gave.
///
/// @param sizes of the changelog on the broker's disk in bytes, at steady intervals
/// @param seconds that tuples were sent for
/// @param brokerSeconds of processor time that the broker used meanwhile
/// @param jobSeconds of processor time that the job used meanwhile
/// @param jobPeakBytes most resident memory of the job's process
record Run(
    List<Long> sizes, double seconds, double brokerSeconds, double jobSeconds, long jobPeakBytes) {
  Run {
    sizes = List.copyOf(sizes);
  }

  long most() {
    return sizes.stream().mapToLong(each -> each).max().orElse(0);
  }

  /// Half of the time it is not larger.
  long middle() {
    List<Long> sorted = sizes.stream().sorted().toList();
    return sorted.get((sorted.size() - 1) / 2);
  }

  long last() {
    return sizes.getLast();
  }

  /// In percent of one processor.
  double brokerPercent() {
    return 100 * brokerSeconds / seconds;
  }
}
