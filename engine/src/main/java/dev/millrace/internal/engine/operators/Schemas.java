package dev.millrace.internal.engine.operators;

import dev.millrace.api.serde.Serde;

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
