package dev.millrace.internal.engine.operators;

import dev.millrace.api.serde.Serde;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Schemas of values made of others: a name, then each part's schema with its length before it, so
/// that each part decides on its own whether it can read what was written.
public final class Schemas {
  private Schemas() {}

  public static String compose(String name, Serde<?>... parts) {
    StringBuilder schema = new StringBuilder(name);
    for (Serde<?> part : parts) {
      String of = part.schema();
      schema.append(' ').append(of.length()).append(':').append(of);
    }
    return schema.toString();
  }

  /// Returns whether each part can read what the schema of the same part says was written.
  public static boolean canRead(String written, String name, Serde<?>... parts) {
    List<String> schemas = parts(written, name, parts.length);
    for (int i = 0; schemas != null && i < parts.length; i++) {
      if (!parts[i].canRead(schemas.get(i))) {
        return false;
      }
    }
    return schemas != null;
  }

  /// Returns a serde of parts that are [written as older ones][Serde#writingAs]; empty if the
  /// schema is not one of these parts, or one of them cannot be written so.
  ///
  /// @param of makes the serde from its parts
  public static <T> Optional<Serde<T>> writingAs(
      String older,
      String name,
      List<Serde<Object>> parts,
      Function<List<Serde<Object>>, Serde<T>> of) {
    List<String> schemas = parts(older, name, parts.size());
    if (schemas == null) {
      return Optional.empty();
    }
    List<Serde<Object>> written = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      parts.get(i).writingAs(schemas.get(i)).ifPresent(written::add);
    }
    return written.size() == parts.size() ? Optional.of(of.apply(written)) : Optional.empty();
  }

  /// Returns the schemas of the parts; null if they are not so many, or of another name.
  private static @Nullable List<String> parts(String schema, String name, int count) {
    if (!schema.startsWith(name)) {
      return null;
    }
    List<String> parts = new ArrayList<>();
    int at = name.length();
    for (int i = 0; i < count; i++) {
      int colon = schema.indexOf(':', at);
      if (colon < 0 || !schema.substring(at, colon).matches(" \\d{1,9}")) {
        return null;
      }
      int end = colon + 1 + Integer.parseInt(schema.substring(at + 1, colon));
      if (end > schema.length()) {
        return null;
      }
      parts.add(schema.substring(colon + 1, end));
      at = end;
    }
    return at == schema.length() ? parts : null;
  }
}
