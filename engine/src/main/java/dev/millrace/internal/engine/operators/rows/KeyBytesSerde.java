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
/// @param tail how many bytes go behind the key; no part of the id
public record KeyBytesSerde(String format, @Nullable Serde<Object> keys, int tail)
    implements Serde<Bytes> {
  /// What stands for all keys.
  static final String ONE = "one";

  private static final String AFTER_TIME = "time+";
  private static final String BEFORE_TIME = "key+time ";

  /// With nothing behind the key.
  public KeyBytesSerde(String format, @Nullable Serde<Object> keys) {
    this(format, keys, 0);
  }

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
    return keys == null
        ? new KeyBytesSerde("time+bytes", null)
        : new KeyBytesSerde(AFTER_TIME, keys);
  }

  /// Keys that end with a time; see [KeyTime].
  public static KeyBytesSerde beforeTime(Serde<Object> keys) {
    return new KeyBytesSerde(BEFORE_TIME, keys);
  }

  /// The same keys with so many bytes behind them.
  KeyBytesSerde withTail(int bytes) {
    return new KeyBytesSerde(format, keys, bytes);
  }

  /// Returns whether entries are of one row's key each, and tell which.
  public boolean tellsRowKey() {
    return switch (format) {
      case "", AFTER_TIME, "time+bytes", "time+size+", "time+time+", "time+group+" -> true;
      default -> format.startsWith("key+") || format.startsWith("time+key+");
    };
  }

  /// Returns whether entries are of the task as a whole, and mean the same in each of its parts.
  public boolean isOfEachPart() {
    return format.equals(ONE);
  }

  /// Moves a view over the row's key in a store's key, if this [tells it][#tellsRowKey].
  public Bytes rowKey(Bytes storeKey, Bytes view) {
    int length = storeKey.length() - tail;
    return switch (format) {
      case "" -> part(storeKey, 0, length, view);
      case AFTER_TIME, "time+bytes" -> part(storeKey, Long.BYTES, length, view);
      case "time+size+", "time+time+" -> part(storeKey, 2 * Long.BYTES, length, view);
      default -> framed(storeKey, format.startsWith(AFTER_TIME) ? Long.BYTES : 0, view);
    };
  }

  private static Bytes part(Bytes storeKey, int from, int to, Bytes view) {
    return view.set(storeKey.array(), storeKey.offset() + from, to - from);
  }

  /// A key with its length in four bytes before it.
  private static Bytes framed(Bytes storeKey, int at, Bytes view) {
    int length = 0;
    for (int i = at; i < at + Integer.BYTES; i++) {
      length = length << 8 | storeKey.get(i) & 0xFF;
    }
    return part(storeKey, at + Integer.BYTES, at + Integer.BYTES + length, view);
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
