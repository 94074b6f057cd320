package dev.millrace.testkit;

import java.util.ArrayList;
import java.util.List;

/// Keeps a running hash of all events, and the last events as text. Used by one thread.
///
/// Two runs of one seed must give the same hash; the first line in which their traces differ shows
/// what the seed did not determine.
public final class Trace {
  private static final int KEPT = 512;
  private static final long PRIME = 0x100000001b3L;

  private final String[] what = new String[KEPT];
  private final Object[] where = new Object[KEPT];
  private final long[] first = new long[KEPT];
  private final long[] second = new long[KEPT];
  private long hash = 0xcbf29ce484222325L;
  private long count;

  /// Adds an event.
  ///
  /// @param place where it happened; its text is part of the hash
  public void add(String event, Object place, long a, long b) {
    int at = (int) (count++ % KEPT);
    what[at] = event;
    where[at] = place;
    first[at] = a;
    second[at] = b;
    mix(event);
    mix(place.toString());
    mix(a);
    mix(b);
  }

  public void add(String event, Object place) {
    add(event, place, 0, 0);
  }

  private void mix(String text) {
    mix(text.hashCode());
  }

  private void mix(long value) {
    hash = (hash ^ value) * PRIME;
    hash ^= hash >>> 29;
  }

  /// Returns the hash of all events so far.
  public long hash() {
    return hash;
  }

  /// Returns the number of events so far.
  public long count() {
    return count;
  }

  /// Returns the last events, oldest first; for messages.
  ///
  /// @param most the largest number to return; a few hundred are kept
  public List<String> tail(int most) {
    List<String> lines = new ArrayList<>();
    for (long i = Math.max(0, count - Math.min(most, KEPT)); i < count; i++) {
      int at = (int) (i % KEPT);
      lines.add(i + " " + what[at] + " " + where[at] + " " + first[at] + " " + second[at]);
    }
    return lines;
  }
}
