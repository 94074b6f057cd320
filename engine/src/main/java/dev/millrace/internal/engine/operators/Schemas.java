package dev.millrace.internal.engine.operators;

import dev.millrace.api.serde.Serde;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Schemas of values made of others: a name, then each part's schema with its length before it, so
/// that each part decides on its own whether it can read what was written.
public final class Schemas {
  /// What is before each part.
  private static final Pattern LENGTH = Pattern.compile(" (\\d{1,9}):");

  private Schemas() {}

  public static String compose(String name, Serde<?>... parts) {
    StringBuilder schema = new StringBuilder(name);
    for (Serde<?> part : parts) {
      String of = part.schema();
      schema.append(' ').append(of.length()).append(':').append(of);
    }
    return schema.toString();
  }

  /// Returns the name of a composed schema, then the schemas of its parts; of any other schema only
  /// itself.
  public static List<String> parts(String schema) {
    Matcher head = LENGTH.matcher(schema);
    if (!head.find()) {
      return List.of(schema);
    }
    List<String> parts = new ArrayList<>();
    parts.add(schema.substring(0, head.start()));
    int at = head.start();
    while (at < schema.length()) {
      if (!head.find(at) || head.start() != at) {
        return List.of(schema);
      }
      int end = head.end() + Integer.parseInt(Objects.requireNonNull(head.group(1)));
      if (end > schema.length()) {
        return List.of(schema);
      }
      parts.add(schema.substring(head.end(), end));
      at = end;
    }
    return parts;
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
    List<String> found = parts(schema);
    return found.size() == count + 1 && found.getFirst().equals(name)
        ? found.subList(1, found.size())
        : null;
  }
}
