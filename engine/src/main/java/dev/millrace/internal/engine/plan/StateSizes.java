package dev.millrace.internal.engine.plan;

import java.util.Collections;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/// How much state an application has, as far as the owners of its tasks have told.
///
/// @param bytes about how many each store takes in all tasks of which it was told, by its number
/// @param reported of how many tasks it was told
/// @param tasks how many there are
/// @param bytesPerSecond how fast the values of all of them together are migrated; 0 if that is not
///   known
public record StateSizes(
    SortedMap<Integer, Long> bytes, int reported, int tasks, long bytesPerSecond) {
  /// How many bytes of state, as they are on the disk, a worker migrates in a second.
  public static final long MIGRATED_BYTES_PER_SECOND = 2_000_000;

  /// Nothing was told.
  public static final StateSizes UNKNOWN = new StateSizes(new TreeMap<>(), 0, 0, 0);

  public StateSizes {
    bytes = Collections.unmodifiableSortedMap(new TreeMap<>(bytes));
  }

  /// Returns whether anything was told.
  public boolean isKnown() {
    return reported > 0;
  }

  /// Returns whether it was told of all tasks.
  public boolean isComplete() {
    return isKnown() && reported >= tasks;
  }

  /// Returns about how many bytes a store takes, as far as is known.
  long of(int store) {
    return bytes.getOrDefault(store, 0L);
  }

  /// Returns in how many seconds bytes of state are written anew, at least 1 if there are any;
  /// empty if no rate is known.
  OptionalLong seconds(long written) {
    if (written == 0) {
      return OptionalLong.of(0);
    }
    return bytesPerSecond == 0
        ? OptionalLong.empty()
        : OptionalLong.of(Math.max(1, Math.round((double) written / bytesPerSecond)));
  }
}
