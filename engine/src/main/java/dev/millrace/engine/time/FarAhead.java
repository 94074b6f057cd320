package dev.millrace.engine.time;

/// Finds records of a split whose event time must be wrong: further ahead than a limit both of the
/// clock and of the record before. One such record moves no watermark; when the records behind it
/// have such times as well, time has really moved on. Used by one thread.
public final class FarAhead {
  private final long limitMillis;
  private long latest = Long.MAX_VALUE;
  private long previous;
  private long before;
  private int found;

  /// @param limitMillis how far ahead is too far
  /// @param lastTimestamp the latest event time so far; [InputTime#UNKNOWN] if there is none, then
  ///   the first record is trusted
  public FarAhead(long limitMillis, long lastTimestamp) {
    this.limitMillis = limitMillis;
    previous = lastTimestamp;
  }

  /// A batch begins.
  ///
  /// @param now the time of day, in milliseconds since 1970 (UTC)
  public void begin(long now) {
    latest = now > Long.MAX_VALUE - limitMillis ? Long.MAX_VALUE : now + limitMillis;
    before = previous;
    found = 0;
  }

  /// The batch is read again from its first record.
  public void again() {
    previous = before;
    found = 0;
  }

  /// Whether a record's time is to be believed. Every record of the batch is asked about, in order.
  public boolean believes(long timestamp) {
    boolean far =
        timestamp > latest && previous != InputTime.UNKNOWN && timestamp - previous > limitMillis;
    previous = timestamp;
    if (far) {
      found++;
    }
    return !far;
  }

  /// How many records of the batch were not believed.
  public int found() {
    return found;
  }
}
