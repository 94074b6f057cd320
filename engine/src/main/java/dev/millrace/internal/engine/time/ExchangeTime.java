package dev.millrace.internal.engine.time;

/// How an event time stands in the timestamp of a record in an exchange, which Kafka wants to be 0
/// or more: with its sign taken off. Of times from 1970 on that is the time itself; those before
/// 1970 come out above all of these, as the second highest bit still tells the sign. What an
/// exchange carries through memory stands there in the same way.
public final class ExchangeTime {
  /// The first time that has such a form.
  public static final long EARLIEST = -(1L << 62);

  /// The last one.
  public static final long LATEST = (1L << 62) - 1;

  private ExchangeTime() {}

  /// The timestamp that stands for a time between [#EARLIEST] and [#LATEST].
  public static long toTimestamp(long time) {
    return time & Long.MAX_VALUE;
  }

  /// The time that a timestamp stands for.
  public static long ofTimestamp(long timestamp) {
    return timestamp << 1 >> 1;
  }
}
