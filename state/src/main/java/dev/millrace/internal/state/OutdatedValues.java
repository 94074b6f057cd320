package dev.millrace.internal.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.spi.Lending;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Finds values that their serde writes in another way now.
final class OutdatedValues {
  private OutdatedValues() {}

  /// Returns a stored value if the serde writes other bytes for it; null if it writes these. Only
  /// for stores whose values do not expire.
  ///
  /// @param full the key with the store's number
  /// @param view is set to the value's bytes, if the value is made of a view
  /// @throws dev.millrace.api.serde.SerdeException if the value cannot be read or written
  /// @throws EntryTooLargeException if it is too large now
  @SuppressWarnings("unchecked") // a copy of bytes is of the same type
  static <V> @Nullable V find(
      EntryDecoder<?, V> decoder, ValueEncoder<V> encoder, Bytes full, Bytes encoded, Bytes view) {
    Lending lending = Lending.begin();
    V value = decoder.value(full, encoded, lending, view);
    BytesWriter now = encoder.encode(value, full);
    int start = encoded.offset();
    boolean same =
        Arrays.equals(
            now.array(), 0, now.length(), encoded.array(), start, start + encoded.length());
    V kept = value instanceof Bytes bytes && !same ? (V) bytes.copy() : value;
    lending.end();
    return same ? null : kept;
  }
}
