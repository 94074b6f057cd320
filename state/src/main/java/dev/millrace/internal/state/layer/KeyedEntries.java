package dev.millrace.internal.state.layer;

import java.util.Arrays;

/// Entries that are identified by numbers, with keys in arrays.
interface KeyedEntries {

  /// Returns the array in which the key of an entry lies.
  byte[] keyArray(int entry);

  int keyOffset(int entry);

  int keyLength(int entry);

  /// Compares the keys of two entries in unsigned order.
  default int compare(int one, int other) {
    int start = keyOffset(one);
    int otherStart = keyOffset(other);
    return Arrays.compareUnsigned(
        keyArray(one),
        start,
        start + keyLength(one),
        keyArray(other),
        otherStart,
        otherStart + keyLength(other));
  }
}
