package dev.millrace.internal.state;

import dev.millrace.api.StoreSpec;

/// A store and its number in the changelog and on disk, which never changes.
///
/// @param number from 1 to 65534
/// @param maxValueBytes the largest encoded value; 0 for that of [StateLimits]
/// @param hasEarlierVersions whether earlier versions of the serde may have written values; see
///   [MigrationSweep]
public record NumberedStore(
    int number, StoreSpec<?, ?> spec, int maxValueBytes, boolean hasEarlierVersions) {
  public NumberedStore(int number, StoreSpec<?, ?> spec, int maxValueBytes) {
    this(number, spec, maxValueBytes, false);
  }

  public NumberedStore(int number, StoreSpec<?, ?> spec) {
    this(number, spec, 0);
  }

  public NumberedStore {
    if (number < 1 || number > 0xFFFE) {
      throw new IllegalArgumentException(
          "Store '%s' has number %d; numbers go from 1 to 65534.".formatted(spec.name(), number));
    }
  }

  /// Returns whether its values are migrated in the background; those with a time to live are not,
  /// because they would live longer.
  boolean isMigrated() {
    return hasEarlierVersions && spec.timeToLive() == null;
  }

  int mostBytes(int usual) {
    return maxValueBytes == 0 ? usual : maxValueBytes;
  }
}
