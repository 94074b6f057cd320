package dev.millrace.internal.engine.versions;

import dev.millrace.spi.Split;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Where an application begins to read, as a person has said it when what it kept was removed: each
/// task that has not committed yet begins there, whatever its sources and settings say.
///
/// Its text is what is durable: a line for each split.
///
///     millrace start 1
///     finished = yes
///     orders-0 = 1200
///
/// @param finished whether what the application kept is removed; until then it cannot be started
/// @param positions where splits begin; those that are left out begin as their source says
public record GivenStart(boolean finished, Map<Split, Long> positions) {
  private static final String HEAD = "millrace start 1";
  private static final String EQUALS = " = ";
  private static final String FINISHED = "finished" + EQUALS;
  private static final String YES = "yes";
  private static final String NO = "no";

  /// Nobody has said anything.
  public static final GivenStart NONE = new GivenStart(true, new TreeMap<>());

  public GivenStart {
    positions = Collections.unmodifiableMap(new TreeMap<>(positions));
  }

  /// The durable form.
  public String text() {
    StringBuilder text = new StringBuilder(HEAD).append('\n');
    text.append(FINISHED).append(finished ? YES : NO).append('\n');
    positions.forEach(
        (split, offset) -> text.append(split).append(EQUALS).append(offset).append('\n'));
    return text.toString();
  }

  /// What [#text] gave.
  ///
  /// @throws IllegalArgumentException if it is something else, or of a later version
  public static GivenStart parse(String text) {
    List<String> lines = text.lines().toList();
    if (lines.size() < 2 || !lines.getFirst().equals(HEAD)) {
      throw new IllegalArgumentException(
          "It begins with '%s' instead of '%s', so another version of Millrace wrote it."
              .formatted(lines.isEmpty() ? "" : lines.getFirst(), HEAD));
    }
    boolean finished = lines.get(1).equals(FINISHED + YES);
    if (!finished && !lines.get(1).equals(FINISHED + NO)) {
      throw malformed(lines.get(1));
    }
    Map<Split, Long> positions = new TreeMap<>();
    for (String line : lines.subList(2, lines.size())) {
      int equals = line.indexOf(EQUALS);
      int dash = equals < 0 ? -1 : line.lastIndexOf('-', equals);
      if (dash < 1) {
        throw malformed(line);
      }
      try {
        positions.put(
            new Split(line.substring(0, dash), Integer.parseInt(line.substring(dash + 1, equals))),
            Long.parseLong(line.substring(equals + EQUALS.length())));
      } catch (NumberFormatException _) {
        throw malformed(line);
      }
    }
    return new GivenStart(finished, positions);
  }

  private static IllegalArgumentException malformed(String line) {
    return new IllegalArgumentException("It has the line '" + line + "', which is unknown.");
  }
}
