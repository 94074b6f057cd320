package dev.millrace.internal.engine.operators;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import org.jspecify.annotations.Nullable;

/// Store keys in the order of time: eight bytes of a time in milliseconds, big-endian with the sign
/// flipped, then the bytes of a row's key. One instance makes one key at a time.
public final class TimeKey {
  private static final int TIME_BYTES = Long.BYTES;

  private final BytesWriter writer = new BytesWriter(64);
  private final Bytes view = new Bytes();

  /// The store key of a row's key at a time.
  ///
  /// @return valid until the next call
  public Bytes of(long time, @Nullable Bytes key) {
    writer.clear();
    writer.writeLong(time ^ Long.MIN_VALUE);
    if (key != null) {
      writer.write(key);
    }
    return writer.view(view, 0);
  }

  /// The time in a store key.
  public static long time(Bytes storeKey) {
    long flipped = 0;
    for (int i = 0; i < TIME_BYTES; i++) {
      flipped = (flipped << 8) | (storeKey.get(i) & 0xFF);
    }
    return flipped ^ Long.MIN_VALUE;
  }

  /// Moves `key` over the row's key in a store key.
  public static Bytes rowKey(Bytes storeKey, Bytes key) {
    return key.set(
        storeKey.array(), storeKey.offset() + TIME_BYTES, storeKey.length() - TIME_BYTES);
  }
}
