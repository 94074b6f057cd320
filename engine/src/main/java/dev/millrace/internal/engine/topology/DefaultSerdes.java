package dev.millrace.internal.engine.topology;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;
import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.Map;

/// The serdes that types have where nothing else is said: those the application has registered,
/// then those that [Serdes] makes.
final class DefaultSerdes {
  /// By the type's name, as types from different sources are not equal.
  private final Map<String, Serde<Object>> registered = new HashMap<>();

  void register(Type type, Serde<?> serde) {
    Serde<Object> other = registered.putIfAbsent(type.getTypeName(), Erased.serde(serde));
    if (other != null) {
      throw new InvalidTopologyException(
          "The type %s is given the serde '%s', and has '%s' already. Give it one."
              .formatted(type.getTypeName(), serde.id(), other.id()));
    }
  }

  /// @throws IllegalArgumentException if there is none for this type
  Serde<Object> of(Type type, boolean key) {
    Serde<Object> found = registered.get(type.getTypeName());
    if (found != null) {
      return found;
    }
    return Erased.serde(key ? Serdes.keyForType(type) : Serdes.forType(type));
  }
}
