package dev.millrace.internal.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.internal.state.layer.ByteTable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;

/// Keys of a store whose hashes are the same in every [ByteTable], found by trying many.
final class CollidingKeys {
  private static final Map<Integer, List<byte[]>> FOUND = new ConcurrentHashMap<>();

  private CollidingKeys() {}

  /// Two keys of one length, which are no shorter than a word, and two that are.
  static List<byte[]> of(int store) {
    return FOUND.computeIfAbsent(
        store,
        _ -> {
          List<byte[]> keys = new ArrayList<>();
          keys.addAll(find(store, i -> "key-%08d".formatted(i).getBytes(StandardCharsets.UTF_8)));
          keys.addAll(
              find(store, i -> new byte[] {(byte) (i >> 16), (byte) (i >> 8), (byte) i, 1}));
          return List.copyOf(keys);
        });
  }

  private static List<byte[]> find(int store, IntFunction<byte[]> keys) {
    Map<Integer, Integer> seen = new HashMap<>();
    for (int i = 0; i < 1 << 24; i++) {
      Integer other = seen.put(hash(store, keys.apply(i)), i);
      if (other != null) {
        return List.of(keys.apply(other), keys.apply(i));
      }
    }
    throw new AssertionError("No two keys of store " + store + " have the same hash.");
  }

  /// The hash of a key behind its store's number.
  static int hash(int store, byte[] key) {
    byte[] whole = new byte[key.length + Short.BYTES];
    whole[0] = (byte) (store >> 8);
    whole[1] = (byte) store;
    System.arraycopy(key, 0, whole, Short.BYTES, key.length);
    return ByteTable.hash(Bytes.of(whole));
  }
}
