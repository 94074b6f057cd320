package dev.millrace.internal.engine.operators.rows;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.engine.operators.TimeKey;

/// Store keys that bring the entries of a row's key together, in the order of time: the length of
/// the key in four bytes, the key, and eight bytes of a time in milliseconds, big-endian with the
/// sign flipped. One instance makes one key at a time.
public final class KeyTime {
  private final BytesWriter writer = new BytesWriter(64);
  private final Bytes view = new Bytes();

  /// The store key of a row's key at a time.
  ///
  /// @return valid until the next call
  public Bytes of(Bytes key, long time) {
    writer.clear();
    writer.writeInt(key.length());
    writer.write(key);
    writer.writeLong(time ^ Long.MIN_VALUE);
    return writer.view(view, 0);
  }

  /// The time in a store key.
  static long time(Bytes storeKey) {
    Bytes last =
        new Bytes()
            .set(storeKey.array(), storeKey.offset() + storeKey.length() - Long.BYTES, Long.BYTES);
    return TimeKey.time(last);
  }
}
