package dev.millrace.api.serde;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Maps: nothing if empty, else codes and shared parts of keys and values, the count, and each key
/// with its value, in the order of the keys' bytes. Of keys that differed only in what a later
/// version removed the last stays.
final class MapCodec<K, V> extends ContentCodec<Map<K, V>> {
  private final Codec<K> key;
  private final Codec<V> value;

  MapCodec(Codec<K> key, Codec<V> value) {
    super(TypeCode.MAP);
    this.key = key;
    this.value = value;
  }

  Codec<K> key() {
    return key;
  }

  Codec<V> value() {
    return value;
  }

  @Override
  String id() {
    return "map<" + key.id() + "," + value.id() + ">";
  }

  @Override
  Schema.Type schema(Schema.Builder builder) {
    return new Schema.Container("map", List.of(key.schema(builder), value.schema(builder)));
  }

  @Override
  boolean canonical() {
    return key.canonical() && value.canonical();
  }

  @Override
  Map<K, V> whenMissing() {
    return Collections.emptyMap();
  }

  @Override
  void writeContent(Map<K, V> map, BytesWriter out) {
    int size = map.size();
    if (size == 0) {
      return;
    }
    out.writeByte(key.code().number);
    out.writeByte(value.code().number);
    key.writeShared(out);
    value.writeShared(out);
    out.writeVarInt(size);
    SortedEntries entries = new SortedEntries(out, size);
    for (Map.Entry<K, V> entry : map.entrySet()) {
      if (entry.getKey() == null || entry.getValue() == null) {
        throw new SerdeException("a key or value of a map is null");
      }
      entries.start();
      key.writeElement(entry.getKey(), out);
      entries.keyEnd();
      value.writeElement(entry.getValue(), out);
    }
    entries.finish();
  }

  @Override
  Map<K, V> readContent(BytesReader in) {
    if (in.remaining() == 0) {
      return Collections.emptyMap();
    }
    expectCode(key, "keys", in);
    expectCode(value, "values", in);
    Codec.Elements<K> keys = key.readShared(in);
    Codec.Elements<V> values = value.readShared(in);
    int count = ListCodec.readCount(in);
    Map<K, V> map = LinkedHashMap.newLinkedHashMap(count);
    SortedEntries.Check check = new SortedEntries.Check(in);
    for (int i = 0; i < count; i++) {
      int from = in.index();
      K entryKey = keys.read(in);
      check.key(from);
      map.put(entryKey, values.read(in));
    }
    return Collections.unmodifiableMap(map);
  }
}
