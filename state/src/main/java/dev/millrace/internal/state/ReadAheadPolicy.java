package dev.millrace.internal.state;

/// Decides for one store whether it pays to ask for the keys of a batch before the batch.
///
/// Asking costs a look into the cache for every record, reading a key with many others saves more
/// than half of what it costs alone. So it pays when one get in sixteen goes to the disk. Where it
/// did not help, as the keys were others or the cache is too small to hold those of a batch, it is
/// not tried again for a while.
final class ReadAheadPolicy {
  private static final int LEAST_READS = 32;
  private static final int GETS_A_READ = 16;
  private static final int BATCHES_WITHOUT = 64;

  private long alone;
  private long together;
  private long getsBefore;
  private int without;

  /// Keys were read from the disk by a get.
  void readAlone(long keys) {
    alone += keys;
  }

  /// Keys were read from the disk before they were asked for.
  void readTogether(long keys) {
    together += keys;
  }

  /// Says what to do with the next batch, from what the last one met.
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
