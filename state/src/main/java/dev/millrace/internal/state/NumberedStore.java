package dev.millrace.internal.state;

import dev.millrace.api.StoreSpec;

/// A store and its number in the changelog and on disk, which never changes.
///
/// @param number from 1 to 65534
/// @param maxValueBytes the largest encoded value; 0 for that of [StateLimits]
public record NumberedStore(int number, StoreSpec<?, ?> spec, int maxValueBytes) {
  public NumberedStore(int number, StoreSpec<?, ?> spec) {
    this(number, spec, 0);
  }

  public NumberedStore {
    if (number < 1 || number > 0xFFFE) {
      throw new IllegalArgumentException(
          "Store '%s' has number %d; numbers go from 1 to 65534.".formatted(spec.name(), number));
    }
  }

  int mostBytes(int usual) {
    return maxValueBytes == 0 ? usual : maxValueBytes;
  }
}
