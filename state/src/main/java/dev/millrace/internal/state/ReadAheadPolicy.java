package dev.millrace.internal.state;

/// Decides for one store whether it pays to read the keys of a batch before the batch.
///
/// Reading ahead costs a look into the cache for every record; reading a key with many others saves
/// more than half of the cost of reading it alone. So it pays if one get in sixteen goes to the
/// disk. If it did not help, because other keys were read or the cache is too small for the keys of
/// a batch, it is not tried again for a while.
final class ReadAheadPolicy {
  private static final int LEAST_READS = 32;
  private static final int GETS_A_READ = 16;
  private static final int BATCHES_WITHOUT = 64;

  private long alone;
  private long together;
  private long getsBefore;
  private int without;

  /// Counts keys that a get read from the disk.
  void readAlone(long keys) {
    alone += keys;
  }

  /// Counts keys that were read from the disk ahead.
  void readTogether(long keys) {
    together += keys;
  }

  /// Decides about the next batch, by the results of the last one.
  ///
  /// @param gets of the whole task so far
  boolean payAhead(long gets) {
    long reads = alone + together;
    boolean many = reads >= LEAST_READS && reads * GETS_A_READ >= gets - getsBefore;
    boolean helped = together == 0 || alone <= together / 4;
    alone = 0;
    together = 0;
    getsBefore = gets;
    if (!helped) {
      without = BATCHES_WITHOUT;
    } else if (without > 0) {
      without--;
    }
    return many && without == 0;
  }
}
