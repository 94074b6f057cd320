package dev.millrace.internal.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.SerdeException;

/// How a value carries the time at which it expires: in the eight bytes before its own.
final class Expiry {
  static final int BYTES = Long.BYTES;

  private Expiry() {}

  static void write(long millis, BytesWriter out) {
    out.writeLong(millis);
  }

  /// When an encoded value expires, in milliseconds since 1970.
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

  /// Moves `view` over what the value's serde wrote.
  static Bytes withoutExpiry(Bytes encoded, Bytes view) {
    return view.set(encoded.array(), encoded.offset() + BYTES, encoded.length() - BYTES);
  }
}
