package dev.millrace.internal.beam.state;

import dev.millrace.api.serde.Bytes;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.state.MapState;
import org.apache.beam.sdk.state.ReadableState;
import org.apache.beam.sdk.state.ReadableStates;
import org.apache.beam.sdk.values.KV;
import org.jspecify.annotations.Nullable;

/// One value for each key, keys being told apart by their bytes: an entry each, with the key in it.
record StoredMap<K, V>(Cells cells, Bytes place, Coder<K> keyCoder, KvCoder<K, V> coder)
    implements MapState<K, V> {
  StoredMap(Cells cells, Bytes place, Coder<K> keys, Coder<V> values) {
    this(cells, place, keys, KvCoder.of(keys, values));
  }

  private Bytes at(K key) {
    return Cells.at(place, Coding.bytes(keyCoder, key));
  }

  private @Nullable V found(K key, @Nullable V otherwise) {
    KV<K, V> found = cells.entry(at(key), coder);
    return found == null ? otherwise : found.getValue();
  }

  @Override
  public void put(K key, V value) {
    cells.putEntry(at(key), coder, KV.of(key, value));
  }

  @Override
  public ReadableState<V> computeIfAbsent(K key, Function<? super K, ? extends V> made) {
    V before = found(key, null);
    if (before == null) {
      put(key, made.apply(key));
    }
    return ReadableStates.immediate(before);
  }

  @Override
  public void remove(K key) {
    cells.deleteEntry(at(key));
  }

  @Override
  public ReadableState<V> get(K key) {
    return getOrDefault(key, null);
  }

  @Override
  @SuppressWarnings("NullAway") // what Beam asks for where a key has no value
  public ReadableState<V> getOrDefault(K key, @Nullable V otherwise) {
    return new Read<>(() -> found(key, otherwise));
  }

  @Override
  public ReadableState<Iterable<K>> keys() {
    return all(KV::getKey);
  }

  @Override
  public ReadableState<Iterable<V>> values() {
    return all(KV::getValue);
  }

  @Override
  public ReadableState<Iterable<Map.Entry<K, V>>> entries() {
    return all(entry -> new SimpleImmutableEntry<>(entry.getKey(), entry.getValue()));
  }

  private <T> ReadableState<Iterable<T>> all(Function<KV<K, V>, T> part) {
    return new Read<>(() -> {
      List<T> all = new ArrayList<>();
      cells.walk(place, (_, value) -> all.add(part.apply(Cells.value(coder, value))));
      return all;
    });
  }

  @Override
  public ReadableState<Boolean> isEmpty() {
    return new Read<>(() -> !cells.anyEntry(place));
  }

  @Override
  public void clear() {
    cells.clearEntries(place);
  }
}
