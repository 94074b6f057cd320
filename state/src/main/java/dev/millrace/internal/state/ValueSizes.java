package dev.millrace.internal.state;

import dev.millrace.api.serde.Bytes;

/// The known sizes and the limits of a store's encoded entries.
///
/// A key is measured at each put. Encoding a value only to measure it would cost more than all the
/// rest of an update, so it is done for the first puts of the store, then for one in 64, and for
/// every put as soon as one value was seen to be above a quarter of the limit or could not be
/// encoded.
final class ValueSizes {
  /// A value is large from this part of the limit on.
  private static final int LARGE = 2;

  /// A value is reported again when it has grown by this part of the limit.
  private static final int TOLD_AGAIN = 8;

  private static final int MEASURED_AT_FIRST = 16;
  private static final int MEASURED_THEN = 64;

  private final String store;
  private final String task;
  private final StateLimits limits;
  private final int mostBytes;
  private boolean measuresAll;
  private int largest;

  /// The size from which the next value is reported.
  private int toldFrom;

  private int usual = 32;
  private long puts;

  /// @param mostBytes of a value
  ValueSizes(String store, String task, StateLimits limits, int mostBytes) {
    this.store = store;
    this.mostBytes = mostBytes;
    toldFrom = mostBytes / LARGE;
    this.task = task;
    this.limits = limits;
    measuresAll = limits.measureEveryPut();
  }

  /// Returns whether the value of the next put is to be measured.
  boolean measuresNext() {
    return measuresAll || ++puts % MEASURED_THEN == 0 || puts <= MEASURED_AT_FIRST;
  }

  void measureAll() {
    measuresAll = true;
  }

  /// Returns a value's size, if nothing else is known of it.
  int usual() {
    return usual;
  }

  /// Notes the size of a value.
  void note(int size) {
    usual += (size - usual) / 8;
    if (size > largest) {
      largest = size;
      measuresAll |= size > mostBytes / 4;
    }
  }

  /// Returns the largest value that was seen.
  int largest() {
    return largest;
  }

  /// Returns whether a value of this size is to be reported because it is near the limit.
  boolean isLarge(int size) {
    if (size <= toldFrom) {
      return false;
    }
    toldFrom = size + mostBytes / TOLD_AGAIN;
    return true;
  }

  /// Returns the largest value that there may be.
  int mostBytes() {
    return mostBytes;
  }

  boolean isKeyTooLarge(int bytes) {
    return bytes > limits.maxKeyBytes();
  }

  /// @throws EntryTooLargeException if a key is too large
  void requireKey(Bytes key) {
    if (isKeyTooLarge(key.length())) {
      throw new EntryTooLargeException(
          "The key %s of %d bytes is too large for store '%s' of task %s, which accepts at most %d. Make it shorter, or raise state.max-key, and max.message.bytes of the changelog with it."
              .formatted(key, key.length(), store, task, limits.maxKeyBytes()));
    }
  }

  /// @param size in bytes, as far as it is known
  EntryTooLargeException tooLarge(Bytes key, String size) {
    return new EntryTooLargeException(
        "The value of key %s in store '%s' of task %s has %s bytes, but the store accepts at most %d. Split it over several keys, or raise state.max-value, or state.max-value-of for '%s' alone, and max.message.bytes of the changelog with it."
            .formatted(key, store, task, size, mostBytes, store));
  }
}
