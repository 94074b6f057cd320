package dev.millrace.internal.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.state.cache.ObjectCache;
import dev.millrace.internal.state.layer.ByteTable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Encodes the keys of a store, with its number before them.
final class StoreKeys<K> {
  private static final int USUAL_KEY_BYTES = 32;

  private final ObjectCache cache;
  private final int number;
  private final Serde<K> serde;
  private final BytesWriter writer = new BytesWriter(USUAL_KEY_BYTES);
  private final Bytes view = new Bytes();

  StoreKeys(ObjectCache cache, int number, Serde<K> serde) {
    this.cache = cache;
    this.number = number;
    this.serde = serde;
  }

  /// Returns a key with the store's number; valid until the next call of anything here.
  ///
  /// @throws NullPointerException if there is none: it would be taken for the empty key
  Bytes encode(K key) {
    Objects.requireNonNull(
        key, "The key is null, but a store needs a key. Filter out records without a key before.");
    return write(number, key).view(view, 0);
  }

  /// Returns an encoded key with the store's number; valid until the next call of anything here.
  Bytes withNumber(Bytes encoded) {
    writer.clear();
    writer.writeShort(number);
    writer.write(encoded);
    return writer.view(view, 0);
  }

  /// Returns the hash of an encoded key and the number. The two are put together only if there is
  /// no other way: words are slow to read from where single bytes were just written.
  int hash(Bytes encoded) {
    return encoded.length() >= ByteTable.WORD
        ? ByteTable.hash(number, encoded)
        : ByteTable.hash(withNumber(encoded));
  }

  /// Returns the entry of an encoded key in the cache, or [ByteTable#NONE].
  int find(int hash, Bytes encoded) {
    return encoded.length() >= ByteTable.WORD
        ? cache.find(hash, number, encoded)
        : cache.find(hash, withNumber(encoded));
  }

  /// Returns the first key of a range.
  Bytes from(@Nullable K key) {
    return Bytes.of(write(number, key).toByteArray());
  }

  /// Returns the first key after a range.
  Bytes to(@Nullable K key) {
    return Bytes.of(write(key == null ? number + 1 : number, key).toByteArray());
  }

  private BytesWriter write(int prefix, @Nullable K key) {
    writer.clear();
    writer.writeShort(prefix);
    if (key != null) {
      serde.write(key, writer);
    }
    return writer;
  }
}
