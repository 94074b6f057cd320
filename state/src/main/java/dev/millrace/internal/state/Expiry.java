package dev.millrace.internal.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.SerdeException;

/// Reads and writes the time at which a value expires, in the eight bytes before the value.
final class Expiry {
  static final int BYTES = Long.BYTES;

  private Expiry() {}

  static void write(long millis, BytesWriter out) {
    out.writeLong(millis);
  }

  /// Returns the time when an encoded value expires, in milliseconds since 1970.
  static long of(Bytes encoded) {
    if (encoded.length() < BYTES) {
      throw new SerdeException(
          "Found %d bytes, and the time of expiry alone has %d. Was it written without one?"
              .formatted(encoded.length(), BYTES));
    }
    long millis = 0;
    for (int i = 0; i < BYTES; i++) {
      millis = millis << 8 | (encoded.get(i) & 0xFF);
    }
    return millis;
  }

  /// Sets `view` to the bytes that the value's serde wrote, and returns it.
  static Bytes withoutExpiry(Bytes encoded, Bytes view) {
    return view.set(encoded.array(), encoded.offset() + BYTES, encoded.length() - BYTES);
  }
}
