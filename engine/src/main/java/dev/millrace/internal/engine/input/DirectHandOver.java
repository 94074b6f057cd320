package dev.millrace.internal.engine.input;

import dev.millrace.spi.Split;

/// Whether the records of an input come through memory: those of a direct exchange do, once what
/// was left in its topic is processed. They have no offsets; the position is that in the topic.
final class DirectHandOver {
  /// What lies before this offset is still read from the topic; -1 if the input is no direct
  /// exchange.
  private long topicEnd = -1;

  private boolean inMemory;

  /// Makes the input a direct exchange.
  ///
  /// @param newTopicEnd the end of the topic into which the exchange went before
  void begin(long newTopicEnd) {
    topicEnd = newTopicEnd;
  }

  boolean isDirect() {
    return topicEnd >= 0;
  }

  boolean inMemory() {
    return inMemory;
  }

  /// Notes how far the topic was read.
  ///
  /// @return whether the records come through memory from now on
  boolean moved(long offset, boolean ended) {
    boolean before = inMemory;
    inMemory = before || (isDirect() && (ended || offset >= topicEnd));
    return inMemory && !before;
  }

  /// @throws IllegalStateException if nothing may come through memory yet
  void require(Split split, long offset) {
    if (!inMemory) {
      throw new IllegalStateException(
          "A batch reached %s through memory before its topic was read up to %d; it is at %d."
              .formatted(split, topicEnd, offset));
    }
  }
}
