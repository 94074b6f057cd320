package dev.millrace.internal.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.state.layer.ByteTable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The keys of a store, with its number before them.
final class StoreKeys<K> {
  private final Workbench bench;
  private final int number;
  private final Serde<K> serde;

  StoreKeys(Workbench bench, int number, Serde<K> serde) {
    this.bench = bench;
    this.number = number;
    this.serde = serde;
  }

  /// Makes a key the one at work.
  ///
  /// @throws NullPointerException if there is none: it would be taken for the empty key
  void encode(K key) {
    Objects.requireNonNull(
        key,
        "The key is null; a store has none for records without a key. Filter them out before.");
    bench.found = ByteTable.NONE;
    write(number, key).view(bench.key, 0);
  }

  /// The hash of an encoded key and the number. The two are put together only if there is no other
  /// way: words are slow to read from where single bytes were just written.
  int hash(Bytes encoded) {
    return encoded.length() >= ByteTable.WORD
        ? ByteTable.hash(number, encoded)
        : ByteTable.hash(bench.setKey(number, encoded));
  }

  /// The entry of an encoded key in the cache, or [ByteTable#NONE].
  int find(int hash, Bytes encoded) {
    return encoded.length() >= ByteTable.WORD
        ? bench.cache.find(hash, number, encoded)
        : bench.cache.find(hash, bench.setKey(number, encoded));
  }

  /// Where a range begins.
  Bytes from(@Nullable K key) {
    return Bytes.of(write(number, key).toByteArray());
  }

  /// Where a range ends.
  Bytes to(@Nullable K key) {
    return Bytes.of(write(key == null ? number + 1 : number, key).toByteArray());
  }

  private BytesWriter write(int prefix, @Nullable K key) {
    BytesWriter writer = bench.keyWriter;
    writer.clear();
    writer.writeShort(prefix);
    if (key != null) {
      serde.write(key, writer);
    }
    return writer;
  }
}
