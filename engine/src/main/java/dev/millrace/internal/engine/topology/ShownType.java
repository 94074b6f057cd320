package dev.millrace.internal.engine.topology;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/// A type as a function or class of the application shows it, or why it does not.
///
/// @param type without variables and with all type arguments; null if it is not known
/// @param reason why it is not known, in words that follow "unknown, since"; empty if it is
record ShownType(@Nullable Type type, String reason) {

  static ShownType known(Type type) {
    return new ShownType(type, "");
  }

  static ShownType unknown(String reason) {
    return new ShownType(null, reason);
  }

  /// The type if nothing about it is open.
  ///
  /// @param shower what shows it, in messages: `the lambda`
  static ShownType judge(Type type, String shower) {
    String open = GenericTypes.open(type);
    return open.isEmpty() ? known(type) : unknown(shower + " shows only " + open);
  }

  boolean isKnown() {
    return type != null;
  }
}
