package dev.millrace.internal.state.cache;

/// How much memory a cache may take, which changes when tasks come and go.
public final class CacheBudget {
  private long bytes;
  private boolean lowered;

  public CacheBudget(long bytes) {
    this.bytes = bytes;
  }

  /// Returns the budget in bytes.
  public long bytes() {
    return bytes;
  }

  /// Sets another budget. What exceeds it is dropped by the next [ObjectCache#evict].
  public void change(long toBytes) {
    lowered |= toBytes < bytes;
    bytes = toBytes;
  }

  /// Returns whether arrays that were made for a larger budget should be given back: they have four
  /// times the size of this one.
  boolean isOutgrown(long arrayBytes) {
    return lowered && arrayBytes / 4 > bytes;
  }

  /// Notes that nothing is left of what a larger budget was used for.
  ///
  /// @return whether there was a larger one
  boolean takeLowered() {
    boolean was = lowered;
    lowered = false;
    return was;
  }
}
