package dev.millrace.internal.engine.operators;

import dev.millrace.api.serde.Serde;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

  public static boolean canRead(String written, String name, Serde<?>... parts) {
    if (!written.startsWith(name)) {
      return false;
    }
    int at = name.length();
    for (Serde<?> part : parts) {
      int colon = written.indexOf(':', at);
      if (colon < 0 || !written.substring(at, colon).matches(" \\d{1,9}")) {
        return false;
      }
      int end = colon + 1 + Integer.parseInt(written.substring(at + 1, colon));
      if (end > written.length() || !part.canRead(written.substring(colon + 1, end))) {
        return false;
      }
      at = end;
    }
    return at == written.length();
  }
}
