package dev.millrace.benchmarks.localstate;

/// What a job does with its state (Noghabi et al., section 6.1).
public enum Access {
  /// Counts by id: a value is read and written for each record. Records that ask get the count.
  READ_WRITE,
  /// Joins a stream with a table: the value of a record's id is read, and goes out with a part of
  /// the record.
  READ_ONLY
}
