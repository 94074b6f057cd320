package dev.millrace.internal.beam.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.internal.engine.operators.Frames;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.beam.sdk.coders.Coder;
import org.apache.beam.sdk.coders.KvCoder;
import org.apache.beam.sdk.state.MultimapState;
import org.apache.beam.sdk.state.ReadableState;
import org.apache.beam.sdk.values.KV;

/// Any number of values for each key, in the order in which they were put: an entry each, under the
/// key's bytes with their length before them, and a number.
record StoredMultimap<K, V>(Cells cells, Bytes place, Coder<K> keyCoder, KvCoder<K, V> coder)
    implements MultimapState<K, V> {
  StoredMultimap(Cells cells, Bytes place, Coder<K> keys, Coder<V> values) {
    this(cells, place, keys, KvCoder.of(keys, values));
  }

  private Bytes of(K key) {
    BytesWriter out = new BytesWriter(64);
    out.write(place);
    Frames.write(Coding.bytes(keyCoder, key), out);
    return Bytes.of(out.toByteArray());
  }

  @Override
  public void put(K key, V value) {
    long number = cells.number(place);
    cells.putNumber(place, number + 1);
    cells.putEntry(Cells.at(of(key), number), coder, KV.of(key, value));
  }

  @Override
  public ReadableState<Iterable<V>> get(K key) {
    return new Read<>(() -> {
      List<V> values = new ArrayList<>();
      cells.entries(of(key), coder).forEach(entry -> values.add(entry.getValue()));
      return values;
    });
  }

  @Override
  public void remove(K key) {
    cells.clearEntries(of(key));
  }

  @Override
  public ReadableState<Iterable<K>> keys() {
    return new Read<>(() -> {
      Map<Bytes, K> keys = new LinkedHashMap<>();
      for (KV<K, V> entry : cells.entries(place, coder)) {
        keys.putIfAbsent(Coding.bytes(keyCoder, entry.getKey()), entry.getKey());
      }
      return new ArrayList<>(keys.values());
    });
  }

  @Override
  public ReadableState<Iterable<Map.Entry<K, V>>> entries() {
    return new Read<>(() -> {
      List<Map.Entry<K, V>> all = new ArrayList<>();
      for (KV<K, V> entry : cells.entries(place, coder)) {
        all.add(new SimpleImmutableEntry<>(entry.getKey(), entry.getValue()));
      }
      return all;
    });
  }

  @Override
  public ReadableState<Boolean> containsKey(K key) {
    return new Read<>(() -> cells.anyEntry(of(key)));
  }

  @Override
  public ReadableState<Boolean> isEmpty() {
    return new Read<>(() -> !cells.anyEntry(place));
  }

  @Override
  public void clear() {
    cells.delete(place);
    cells.clearEntries(place);
  }
}
