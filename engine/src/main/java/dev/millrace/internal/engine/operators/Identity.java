package dev.millrace.internal.engine.operators;

import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import org.jspecify.annotations.Nullable;

/// By what rows are the same: the bytes of their key, or the length of the key in four bytes, the
/// key, and an attribute of the value. One instance makes one at a time.
public final class Identity {
  private final @Nullable Mapper<Object, Object> attribute;
  private final @Nullable Serde<Object> serde;
  private final BytesWriter writer = new BytesWriter(64);
  private final Bytes view = new Bytes();

  /// @param attribute null if the key alone counts
  /// @param serde of the attribute
  public Identity(@Nullable Mapper<Object, Object> attribute, @Nullable Serde<Object> serde) {
    this.attribute = attribute;
    this.serde = serde;
  }

  /// @return valid until the next call, or as long as the key
  public Bytes of(Bytes key, Object value) {
    if (attribute == null || serde == null) {
      return key;
    }
    writer.clear();
    writer.writeInt(key.length());
    writer.write(key);
    serde.write(attribute.map(value), writer);
    return writer.view(view, 0);
  }

  /// The key in an identity.
  public Bytes key(Bytes identity) {
    if (attribute == null) {
      return identity;
    }
    int length = 0;
    for (int i = 0; i < Integer.BYTES; i++) {
      length = (length << 8) | (identity.get(i) & 0xFF);
    }
    return new Bytes().set(identity.array(), identity.offset() + Integer.BYTES, length);
  }
}
