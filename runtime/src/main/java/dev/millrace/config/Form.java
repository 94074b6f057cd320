package dev.millrace.config;

import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// How the values of a setting are written.
///
/// @param expected completes the sentence "it must be ..."
/// @param reader returns null for what is not of this form
/// @param writer returns a text that the reader takes
record Form<T>(String expected, Function<String, @Nullable T> reader, Function<T, String> writer) {

  /// Returns a form of which only some values are allowed.
  Form<T> only(String newExpected, Predicate<T> allowed) {
    return new Form<>(
        newExpected,
        text -> {
          T value = reader.apply(text);
          return value != null && allowed.test(value) ? value : null;
        },
        writer);
  }
}
