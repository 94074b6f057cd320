package dev.millrace.internal.engine.versions;

import java.util.List;

/// A change that is being rolled out: until it is finalized, programs with the plan before it may
/// run and be returned to, so what is written can be read by them.
///
/// Its text is what is durable:
///
///     millrace deployment 1
///     from = 5c1b0a2e7d9f3a84
///     since = 1764277200000
///     closing = yes
///
/// @param from the hash of the plan that may be returned to
/// @param sinceMillis when the change was recorded, in milliseconds since 1970 (UTC)
/// @param closing whether it is about to be finalized: no program with the plan before it starts any
///   more
public record Deployment(String from, long sinceMillis, boolean closing) {
  private static final String HEAD = "millrace deployment 1";
  private static final String FROM = "from = ";
  private static final String SINCE = "since = ";
  private static final String CLOSING = "closing = yes";

  /// Returns the same, about to be finalized or not.
  Deployment closing(boolean now) {
    return new Deployment(from, sinceMillis, now);
  }

  /// The durable form.
  String text() {
    String text = HEAD + '\n' + FROM + from + '\n' + SINCE + sinceMillis + '\n';
    return closing ? text + CLOSING + '\n' : text;
  }

  /// What [#text] gave.
  ///
  /// @throws IllegalArgumentException if it is something else, or of a later version
  static Deployment parse(String text) {
    List<String> lines = text.lines().toList();
    if (lines.size() < 3
        || !lines.getFirst().equals(HEAD)
        || !lines.get(1).startsWith(FROM)
        || !lines.get(2).startsWith(SINCE)) {
      throw new IllegalArgumentException(
          "It is '%s', which another version of Millrace wrote.".formatted(text));
    }
    try {
      return new Deployment(
          lines.get(1).substring(FROM.length()),
          Long.parseLong(lines.get(2).substring(SINCE.length())),
          lines.contains(CLOSING));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("It has the line '%s'.".formatted(lines.get(2)), e);
    }
  }
}
