package dev.millrace.internal.engine.operators;

import dev.millrace.api.KeyValueStore;
import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import java.util.Arrays;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// A store that is a map of bytes, and as strict as the contract allows: no writing while a range
/// is open, views overwritten when the visitor returns.
///
/// Objects that were put are kept as they are until [#commit], as a cache would, and decoded anew
/// at each get after it.
public final class FakeStore<K, V> implements KeyValueStore<K, V> {
  private final StoreSpec<K, V> spec;
  private final TreeMap<Bytes, byte[]> committed = new TreeMap<>();
  private final TreeMap<Bytes, V> live = new TreeMap<>();
  private TreeMap<Bytes, byte[]> frozen = new TreeMap<>();
  private TreeMap<Bytes, byte[]> acknowledged = new TreeMap<>();
  private boolean open;
  private int ranges;
  private final TreeSet<Bytes> asked = new TreeSet<>();
  private @Nullable TreeSet<Bytes> expected;

  FakeStore(StoreSpec<K, V> spec) {
    this.spec = spec;
  }

  @Override
  public @Nullable V get(K key) {
    Bytes bytes = encoded(key);
    asked.add(bytes);
    V object = live.get(bytes);
    if (object != null) {
      return object;
    }
    byte[] value = committed.get(bytes);
    return value == null ? null : spec.valueSerde().read(view(value));
  }

  @Override
  public void put(K key, V value) {
    requireClosed();
    if (value instanceof Bytes) {
      BytesWriter writer = new BytesWriter();
      spec.valueSerde().write(value, writer);
      delete(key);
      committed.put(encoded(key), writer.toByteArray());
    } else {
      live.put(encoded(key), value);
    }
  }

  @Override
  public void delete(K key) {
    requireClosed();
    Bytes bytes = encoded(key);
    live.remove(bytes);
    committed.remove(bytes);
  }

  @Override
  public void range(@Nullable K from, @Nullable K to, Visitor<K, V> visitor) {
    if (!spec.ranges()) {
      throw new IllegalStateException("Store " + spec.name() + " has no ranges.");
    }
    ranges++;
    open = true;
    try {
      show(from == null ? null : encoded(from), to == null ? null : encoded(to), visitor);
    } finally {
      open = false;
    }
  }

  private void show(@Nullable Bytes from, @Nullable Bytes to, Visitor<K, V> visitor) {
    TreeSet<Bytes> keys = new TreeSet<>(committed.keySet());
    keys.addAll(live.keySet());
    for (Bytes key : from == null ? keys : keys.tailSet(from)) {
      if (to != null && key.compareTo(to) >= 0) {
        return;
      }
      V object = live.get(key);
      V value = object == null ? spec.valueSerde().read(view(committed.get(key))) : object;
      byte[] shown = key.toByteArray();
      boolean more = visitor.entry(spec.keySerde().read(Bytes.of(shown)), value);
      Arrays.fill(shown, (byte) 0xDE);
      if (!more) {
        return;
      }
    }
  }

  /// Everything becomes bytes.
  void commit() {
    live.forEach((key, value) -> {
      BytesWriter writer = new BytesWriter();
      spec.valueSerde().write(value, writer);
      committed.put(key, writer.toByteArray());
    });
    live.clear();
  }

  /// Notes what a commit has that may not take place.
  void freeze() {
    commit();
    frozen = new TreeMap<>(committed);
  }

  /// That commit has taken place.
  void acknowledge() {
    acknowledged = frozen;
  }

  /// Goes back to the last commit that has taken place.
  void rollBack() {
    live.clear();
    committed.clear();
    committed.putAll(acknowledged);
  }

  public int size() {
    commit();
    return committed.size();
  }

  /// Says which keys the operator is about to ask for.
  void expectGets(TreeSet<Bytes> keys) {
    asked.clear();
    expected = new TreeSet<>(keys);
  }

  /// Checks that it asked for these and no others, if it was said.
  void requireExpectedGets() {
    if (expected != null && !expected.equals(asked)) {
      throw new AssertionError("Asked for " + asked + ", but ahead for " + expected + ".");
    }
    expected = null;
  }

  /// How often it was read in a range.
  public int ranges() {
    return ranges;
  }

  private Bytes encoded(K key) {
    BytesWriter writer = new BytesWriter();
    spec.keySerde().write(key, writer);
    return Bytes.of(writer.toByteArray());
  }

  /// In the middle of an array, as views are.
  private static Bytes view(byte[] value) {
    byte[] around = new byte[value.length + 5];
    System.arraycopy(value, 0, around, 3, value.length);
    return new Bytes().set(around, 3, value.length);
  }

  private void requireClosed() {
    if (open) {
      throw new AssertionError("A visitor wrote to store " + spec.name() + ".");
    }
  }
}
