package dev.millrace.internal.engine.time;

/// Finds records of a split whose event time must be wrong: further ahead than a limit both of the
/// clock and of the last record that was believed. They move no watermark. When [#AGREEING] records
/// one behind the other have such times, each within the limit of the one before, time has really
/// moved on. Used by one thread.
public final class FarAhead {
  /// How many records that agree outweigh the clock.
  public static final int AGREEING = 100;

  private final long limitMillis;
  private long now;
  private long latest = Long.MAX_VALUE;
  private int found;

  /// The time of the last record that was believed.
  private long believed;

  /// How many that were not have come one behind the other and agree, and the time of the last.
  private int agreeing;

  private long doubted;

  /// These three as they were when the batch began.
  private long believedBefore;

  private int agreeingBefore;
  private long doubtedBefore;

  /// @param limitMillis how far ahead is too far
  /// @param lastTimestamp the latest event time so far; [InputTime#UNKNOWN] if there is none
  public FarAhead(long limitMillis, long lastTimestamp) {
    this.limitMillis = limitMillis;
    believed = lastTimestamp;
  }

  /// A batch begins.
  ///
  /// @param now the time of day, in milliseconds since 1970 (UTC)
  public void begin(long now) {
    this.now = now;
    latest = limitBehind(now);
    believedBefore = believed;
    agreeingBefore = agreeing;
    doubtedBefore = doubted;
    found = 0;
  }

  /// The time of day that the batch is judged by, in milliseconds since 1970 (UTC).
  public long now() {
    return now;
  }

  /// The batch is read again from its first record.
  public void again() {
    believed = believedBefore;
    agreeing = agreeingBefore;
    doubted = doubtedBefore;
    found = 0;
  }

  /// Whether a record's time is to be believed. Every record of the batch is asked about, in order.
  public boolean believes(long timestamp) {
    if (timestamp <= latest
        || (believed != InputTime.UNKNOWN && timestamp <= limitBehind(believed))
        || isAgreed(timestamp)) {
      believed = timestamp;
      agreeing = 0;
      return true;
    }
    found++;
    return false;
  }

  private boolean isAgreed(long timestamp) {
    boolean agrees =
        agreeing > 0 && timestamp <= limitBehind(doubted) && doubted <= limitBehind(timestamp);
    agreeing = agrees ? agreeing + 1 : 1;
    doubted = timestamp;
    return agreeing == AGREEING;
  }

  private long limitBehind(long time) {
    return time > Long.MAX_VALUE - limitMillis ? Long.MAX_VALUE : time + limitMillis;
  }

  /// How many records of the batch were not believed.
  public int found() {
    return found;
  }
}
