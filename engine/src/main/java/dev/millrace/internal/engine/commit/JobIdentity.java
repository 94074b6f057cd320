package dev.millrace.internal.engine.commit;

import java.time.Duration;

/// What a job writes into commit records and on disks, to know later that they are its own.
///
/// @param clusterId of the log
/// @param changelogTopicId a recreated topic has another one
/// @param deletionsKept how long the changelog keeps a deletion after compaction has come to it
public record JobIdentity(String clusterId, String changelogTopicId, Duration deletionsKept) {

  /// What the disk of a task says of itself.
  ///
  /// @param offset the first offset of the changelog that is not on disk
  /// @param commitRecord encoded; empty if none was reached yet
  public DiskPosition diskPosition(
      String task, long offset, long writtenMillis, byte[] commitRecord) {
    return new DiskPosition(clusterId, changelogTopicId, task, offset, writtenMillis, commitRecord);
  }
}
