package dev.millrace.json;

import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.TypeRef;
import java.lang.reflect.Type;
import tools.jackson.databind.json.JsonMapper;

/// Serdes for values as JSON texts in UTF-8.
///
/// **Writing.** The components of a record are written in their order, the entries of a map in the
/// order of their keys, and times, dates and durations as ISO-8601 texts (`"2026-07-01T12:00:00Z"`,
/// `"PT10S"`). So equal values give equal bytes if the type has no sets and no types that are
/// unknown here; then the serde is canonical.
///
/// **Reading.** Properties that the type does not have are ignored. A missing component is null,
/// zero or false; a missing [java.util.Optional] is empty. So components may be added and removed
/// between two versions of a program. These are errors: null for a primitive, a number with a
/// fraction or out of range for an integer, a number for an enum, malformed UTF-8, and anything
/// after the value. A number for a time is read as seconds since 1970. Sizes and nesting have
/// Jackson's default limits (texts of 20 million characters, 500 levels).
///
/// The bytes never choose a class: class names in them are rejected, whatever annotations a type
/// has. Sealed interfaces need annotations that name their records.
///
/// If a value cannot be read or written, the serde throws a [dev.millrace.api.serde.SerdeException]
/// with line, column, field and what was expected, but without any of the text. The serdes are
/// thread-safe.
///
/// The implementation is Jackson 3. If the class path has incompatible parts of it, the methods
/// throw an [dev.millrace.api.InvalidTopologyException] that names the jars and what to do.
public final class Json {
  private Json() {}

  /// Returns a serde for a class, usually a record.
  public static <T> Serde<T> json(Class<T> type) {
    return serde(type);
  }

  /// Returns a serde for a type with type arguments: `json(new TypeRef<List<Trend>>() {})`.
  public static <T> Serde<T> json(TypeRef<T> type) {
    return serde(type.type());
  }

  private static <T> Serde<T> serde(Type type) {
    JsonMapper mapper = Jackson.mapper();
    return new JsonSerde<>(type, mapper.constructType(type), mapper);
  }
}
