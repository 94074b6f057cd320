package dev.millrace.json;

import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.TypeRef;
import java.lang.reflect.Type;
import tools.jackson.databind.json.JsonMapper;

/// Serdes for values as JSON texts in UTF-8.
///
/// **Written** are the components of a record in their order, the entries of a map in the order of
/// their keys, and times, dates and durations as ISO-8601 texts (`"2026-07-01T12:00:00Z"`,
/// `"PT10S"`). So equal values give equal bytes where the type has no sets and nothing that is not
/// known here; then the serde is canonical.
///
/// **Read** are texts with more properties than the type has, which are passed over, and with
/// fewer: a missing component is null, zero or false, a missing [java.util.Optional] is empty. So
/// components may be added and removed between two versions of a program. Not read are null for a
/// primitive, a number with a fraction or out of range for an integer, a number for an enum, what
/// is no or malformed UTF-8, and anything after the value. A number for a time is taken as seconds
/// since 1970. Sizes and nesting are limited as Jackson does by default (texts of 20 million
/// characters, 500 levels).
///
/// The bytes never choose a class: types named in them by class are refused, whatever annotations a
/// type has. Sealed interfaces need annotations that give their records names.
///
/// What cannot be read or written gives a [dev.millrace.api.serde.SerdeException] with line,
/// column, the field and what was expected, but nothing of the text itself. The serdes can be
/// shared by threads.
///
/// Jackson 3 does the work. If the class path has parts of it that do not fit each other, asking
/// for a serde gives an [dev.millrace.api.InvalidTopologyException] that names the jars and the way
/// out.
public final class Json {
  private Json() {}

  /// Values of a class, usually a record.
  public static <T> Serde<T> json(Class<T> type) {
    return serde(type);
  }

  /// Values of a type with type arguments: `json(new TypeRef<List<Trend>>() {})`.
  public static <T> Serde<T> json(TypeRef<T> type) {
    return serde(type.type());
  }

  private static <T> Serde<T> serde(Type type) {
    JsonMapper mapper = Jackson.mapper();
    return new JsonSerde<>(type, mapper.constructType(type), mapper);
  }
}
