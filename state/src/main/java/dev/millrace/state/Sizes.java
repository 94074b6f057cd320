package dev.millrace.state;

/// What is known of the sizes of a store's encoded entries, and what they may be.
///
/// A key is measured at each put. Encoding a value only to measure it would cost more than all the
/// rest of an update, so it is done for the first puts of the store, then for one in 64, and for
/// every put as soon as one value was seen to be above a quarter of the limit or could not be
/// encoded.
final class Sizes {
  private static final int MEASURED_AT_FIRST = 16;
  private static final int MEASURED_THEN = 64;

  private final String store;
  private final String task;
  private final StateLimits limits;
  private boolean measuresAll;
  private int usual = 32;
  private long puts;

  Sizes(String store, String task, StateLimits limits) {
    this.store = store;
    this.task = task;
    this.limits = limits;
    measuresAll = limits.measureEveryPut();
  }

  /// Whether the value of the next put is to be measured.
  boolean measuresNext() {
    return measuresAll || ++puts % MEASURED_THEN == 0 || puts <= MEASURED_AT_FIRST;
  }

  void measureAll() {
    measuresAll = true;
  }

  /// A value's size, if nothing else is known of it.
  int usual() {
    return usual;
  }

  /// A value was seen that takes so much.
  void note(int size) {
    usual += (size - usual) / 8;
    measuresAll |= size > limits.maxValueBytes() / 4;
  }

  void requireKey(int size) {
    if (size > limits.maxKeyBytes()) {
      throw tooLarge("key", size, limits.maxKeyBytes());
    }
  }

  void requireValue(int size) {
    if (size > limits.maxValueBytes()) {
      throw tooLarge("value", size, limits.maxValueBytes());
    }
  }

  private EntryTooLargeException tooLarge(String what, int size, int limit) {
    return new EntryTooLargeException(
        "A %s of %d bytes was put into store '%s' of task %s, which takes at most %d. Split it over several keys, or raise the limit together with what the changelog topic accepts (max.message.bytes)."
            .formatted(what, size, store, task, limit));
  }
}
