package dev.millrace.internal.engine.plan;

import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The versions that schemas of values name; see [dev.millrace.api.serde.VersionedSerde].
final class ValueVersions {
  private static final Pattern VERSION = Pattern.compile("version (\\d{1,3}) \\d{1,9}:");
  private static final Pattern EARLIER =
      Pattern.compile(VERSION.pattern() + ".* from \\d{1,3} \\d{1,9}:", Pattern.DOTALL);

  private ValueVersions() {}

  /// Returns the highest version of the values that a schema names, also as parts of others; 1 if
  /// it names none.
  static int highest(String schema) {
    int highest = 1;
    Matcher matcher = VERSION.matcher(schema);
    while (matcher.find()) {
      highest = Math.max(highest, Integer.parseInt(Objects.requireNonNull(matcher.group(1))));
    }
    return highest;
  }

  /// Returns whether a schema names values that are migrated from earlier versions, also as parts
  /// of others.
  static boolean hasEarlier(String schema) {
    return EARLIER.matcher(schema).find();
  }
}
