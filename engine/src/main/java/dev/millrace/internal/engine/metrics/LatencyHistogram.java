package dev.millrace.internal.engine.metrics;

import java.util.concurrent.atomic.AtomicLongArray;

/// How often something took how long: in buckets, eight to each power of two, so that a value is
/// known to an eighth. Whoever has one says in which unit. Written by one thread, read by any,
/// without locks.
public final class LatencyHistogram {
  private static final int STEPS_BITS = 3;
  private static final int STEPS = 1 << STEPS_BITS;
  private static final int BUCKETS = (Long.SIZE - STEPS_BITS) * STEPS;

  private final AtomicLongArray counts = new AtomicLongArray(BUCKETS);

  /// Only the thread that owns this may do it.
  ///
  /// @param value what is below 0 counts as 0
  public void add(long value) {
    int bucket = bucket(Math.max(0, value));
    counts.lazySet(bucket, counts.getPlain(bucket) + 1);
  }

  /// How many values there are.
  public long count() {
    long sum = 0;
    for (int i = 0; i < BUCKETS; i++) {
      sum += counts.get(i);
    }
    return sum;
  }

  /// Adds this one's counts to others, which must have a place for each of [#buckets].
  public void addTo(long[] others) {
    for (int i = 0; i < BUCKETS; i++) {
      others[i] += counts.get(i);
    }
  }

  public static int buckets() {
    return BUCKETS;
  }

  /// The value that a share of the values does not exceed, rounded up to the end of its bucket; -1
  /// if there are none.
  ///
  /// @param counts of each bucket
  /// @param share from 0 to 1
  public static long quantile(long[] counts, double share) {
    long all = 0;
    for (long count : counts) {
      all += count;
    }
    long wanted = Math.max(1, (long) Math.ceil(all * share));
    long seen = 0;
    for (int i = 0; i < counts.length; i++) {
      seen += counts[i];
      if (seen >= wanted) {
        return largest(i);
      }
    }
    return -1;
  }

  private static int bucket(long value) {
    if (value < STEPS) {
      return (int) value;
    }
    int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(value);
    int step = (int) (value >>> (power - STEPS_BITS)) & (STEPS - 1);
    return (power - STEPS_BITS + 1) * STEPS + step;
  }

  private static long largest(int bucket) {
    if (bucket < STEPS) {
      return bucket;
    }
    int shift = bucket / STEPS - 1;
    return ((long) (STEPS + bucket % STEPS + 1) << shift) - 1;
  }
}
