package dev.millrace.internal.engine.operators.rows;

import dev.millrace.api.StoreSpec;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.TimeKey;
import org.jspecify.annotations.Nullable;

/// Keys as the bytes in which the rows have them: an operator passes them from row to store without
/// an object between. What is recorded with the store is the format of the keys behind the bytes,
/// so another serde for the same keys is noticed when the store is opened.
///
/// @param format what goes before the key; part of the id
/// @param keys the serde that wrote the bytes; null if they have no format but `format`
public record KeyBytesSerde(String format, @Nullable Serde<Object> keys) implements Serde<Bytes> {

  /// Keys of a store by row key.
  public static KeyBytesSerde plain(Serde<Object> keys) {
    return new KeyBytesSerde("", keys);
  }

  /// Keys that are a time; see [TimeKey].
  public static KeyBytesSerde timeOnly() {
    return new KeyBytesSerde("time", null);
  }

  /// Keys that begin with a time; see [TimeKey].
  public static KeyBytesSerde afterTime(@Nullable Serde<Object> keys) {
    return keys == null ? new KeyBytesSerde("time+bytes", null) : new KeyBytesSerde("time+", keys);
  }

  /// Keys that end with a time; see [KeyTime].
  public static KeyBytesSerde beforeTime(Serde<Object> keys) {
    return new KeyBytesSerde("key+time ", keys);
  }

  /// A store with such keys; with ranges if they begin with a time.
  public <V> StoreSpec<Bytes, V> spec(String name, Serde<V> values) {
    StoreSpec<Bytes, V> spec = StoreSpec.keyValue(name, this, values);
    return format.isEmpty() ? spec : spec.withRanges();
  }

  @Override
  public String id() {
    return keys == null ? format : format + keys.id();
  }

  @Override
  public String schema() {
    return keys == null ? format : format + keys.schema();
  }

  @Override
  public boolean canRead(String writtenSchema) {
    if (keys == null) {
      return schema().equals(writtenSchema);
    }
    return writtenSchema.startsWith(format)
        && keys.canRead(writtenSchema.substring(format.length()));
  }

  @Override
  public void write(Bytes value, BytesWriter out) {
    out.write(value);
  }

  @Override
  public Bytes read(Bytes in) {
    return in;
  }

  @Override
  public boolean canonical() {
    return true;
  }

  /// The order of these keys is that of their bytes.
  @Override
  public boolean ordered() {
    return true;
  }
}
