package dev.millrace.api.serde;

/// How values of one type are laid out in keys: each ends by itself, and the unsigned order of the
/// bytes is the order of the values, also when more follows. There is no evolution: a key that were
/// read in two ways would be two keys.
abstract class KeyCodec<T> {

  /// The stable name of the format without what all keys have in common.
  abstract String id();

  abstract Schema.Type schema(Schema.Builder builder);

  abstract void write(T value, BytesWriter out);

  abstract T read(BytesReader in);
}
