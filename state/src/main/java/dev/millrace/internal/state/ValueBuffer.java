package dev.millrace.internal.state;

import dev.millrace.api.serde.BytesWriter;

/// The buffer in which a task encodes its values, one at a time.
final class ValueBuffer {
  private static final int MOST_KEPT_BYTES = 1 << 20;

  private BytesWriter writer = new BytesWriter();

  /// Returns an empty writer; what it gets is valid until the next call.
  BytesWriter begin() {
    return writer.clear();
  }

  /// Releases the memory that a large value has taken.
  void trim() {
    if (writer.array().length > MOST_KEPT_BYTES) {
      writer = new BytesWriter();
    }
  }
}
