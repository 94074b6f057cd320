package dev.millrace.api.serde;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/// How values of one type are laid out inside records, lists and the like: the value form.
///
/// A body ends by itself. Where many values of a type follow each other, what is the same for all
/// of them (the field table of a record) is written once as the shared part, and each value as an
/// element.
///
/// @param <T> the type; null is never written or read
abstract class Codec<T> {
  private final TypeCode code;
  private final Elements<T> own = this::readBody;

  Codec(TypeCode code) {
    this.code = code;
  }

  /// Reads the values that follow one shared part.
  @FunctionalInterface
  interface Elements<T> {
    T read(BytesReader in);
  }

  final TypeCode code() {
    return code;
  }

  /// What is written, for [Serde#schema]. Recursive records are described once and referred to
  /// after.
  abstract Schema.Type schema(Schema.Builder builder);

  /// The stable name of the format, as in [Serde#id].
  abstract String id();

  abstract void writeBody(T value, BytesWriter out);

  abstract T readBody(BytesReader in);

  void writeShared(BytesWriter out) {}

  /// Reads the shared part and returns how to read the elements after it.
  Elements<T> readShared(BytesReader in) {
    return own;
  }

  void writeElement(T value, BytesWriter out) {
    writeBody(value, out);
  }

  /// What a component gets whose value an older version did not write: empty for what can be empty
  /// and null for the rest.
  @Nullable T whenMissing() {
    return null;
  }

  /// Whether values cannot be changed by who holds them.
  ///
  /// @param asked the codecs that are being asked; a record may contain itself
  boolean immutable(Set<Codec<?>> asked) {
    return false;
  }

  /// Whether equal values give equal bytes; false only where a foreign serde is inside.
  boolean canonical() {
    return true;
  }
}
