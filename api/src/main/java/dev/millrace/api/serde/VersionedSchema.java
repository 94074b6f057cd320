package dev.millrace.api.serde;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The schema of a [VersionedSerde], as text: `version 2 5:int64 from 1 3:int`, each schema after
/// its length. Any other text is that of version 1.
///
/// @param schema of values of this version
/// @param earlier the schemas of earlier versions that can be read
record VersionedSchema(int version, String schema, Map<Integer, String> earlier) {
  private static final Pattern NOW = Pattern.compile("version (\\d{1,3}) (\\d{1,9}):");
  private static final Pattern FROM = Pattern.compile(" from (\\d{1,3}) (\\d{1,9}):");

  String text() {
    StringBuilder text = new StringBuilder("version ");
    text.append(version).append(' ').append(schema.length()).append(':').append(schema);
    new TreeMap<>(earlier)
        .forEach((number, each) ->
            text.append(" from ")
                .append(number)
                .append(' ')
                .append(each.length())
                .append(':')
                .append(each));
    return text.toString();
  }

  static VersionedSchema parse(String text) {
    Map<Integer, String> found = new TreeMap<>();
    int at = next(text, NOW, 0, found);
    if (at < 0) {
      return new VersionedSchema(1, text, Map.of());
    }
    int version = found.keySet().iterator().next();
    String schema = Objects.requireNonNull(found.remove(version));
    while (at < text.length()) {
      at = next(text, FROM, at, found);
      if (at < 0) {
        return new VersionedSchema(1, text, Map.of());
      }
    }
    return new VersionedSchema(version, schema, found);
  }

  /// Adds the version and schema that begin at an index, and returns where they end; -1 if none do.
  private static int next(String text, Pattern head, int at, Map<Integer, String> found) {
    Matcher matcher = head.matcher(text).region(at, text.length());
    if (!matcher.lookingAt()) {
      return -1;
    }
    int from = matcher.end();
    int to = from + number(matcher, 2);
    if (to > text.length()) {
      return -1;
    }
    found.put(number(matcher, 1), text.substring(from, to));
    return to;
  }

  private static int number(Matcher matcher, int group) {
    return Integer.parseInt(Objects.requireNonNull(matcher.group(group)));
  }
}
