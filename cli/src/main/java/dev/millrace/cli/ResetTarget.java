package dev.millrace.cli;

import dev.millrace.ExitCode;
import dev.millrace.spi.Log;
import dev.millrace.spi.Split;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// The positions to which an application is reset, as given on the command line.
sealed interface ResetTarget {

  /// Names positions by a rule, for any partition.
  enum Rule implements ResetTarget {
    EARLIEST,
    LATEST,
    GROUP
  }

  /// The first record that is not older than a time.
  record At(Instant time) implements ResetTarget {}

  /// Named partitions only.
  record Offsets(Map<Split, Long> offsets) implements ResetTarget {}

  /// Parses the argument of --to.
  ///
  /// @throws UserException if it is not valid
  static ResetTarget parse(String text) {
    for (Rule rule : Rule.values()) {
      if (rule.name().equalsIgnoreCase(text)) {
        return rule;
      }
    }
    try {
      return text.contains("T") && !text.contains(",") && !isPlace(text)
          ? new At(Instant.parse(text))
          : new Offsets(places(text));
    } catch (DateTimeException | NumberFormatException _) {
      throw malformed(text);
    }
  }

  private static boolean isPlace(String text) {
    return text.matches("[^:]+:[0-9]+:[0-9]+");
  }

  private static Map<Split, Long> places(String text) {
    Map<Split, Long> offsets = new TreeMap<>();
    for (String each : text.split(",", -1)) {
      if (!isPlace(each.strip())) {
        throw malformed(text);
      }
      String[] parts = each.strip().split(":", -1);
      offsets.put(new Split(parts[0], Integer.parseInt(parts[1])), Long.parseLong(parts[2]));
    }
    return offsets;
  }

  private static UserException malformed(String text) {
    return usage(
        "--to must be earliest, latest, group, a time such as 2013-01-01T05:00:00Z, or one or more TOPIC:PARTITION:OFFSET, separated by commas; found '%s'."
            .formatted(text));
  }

  private static UserException usage(String message) {
    return new UserException(ExitCode.USAGE, message);
  }

  /// Returns the positions that are meant.
  ///
  /// @param group whose offsets [Rule#GROUP] takes
  /// @param splits to which a rule or a time applies
  /// @param known all splits that the application reads
  /// @param ends of bounded inputs, after which nothing is read
  /// @throws UserException if one of them is not in its partition
  default Map<Split, Long> resolve(
      Log log, String group, Set<Split> splits, Set<Split> known, Map<Split, Long> ends) {
    Map<Split, Long> wanted =
        switch (this) {
          case Offsets named -> named.offsets;
          case At at -> splits.isEmpty() ? Map.of() : log.offsetsAt(splits, at.time);
          case Rule.GROUP -> group(log, group, splits);
          case Rule.EARLIEST, Rule.LATEST -> new TreeMap<>();
        };
    Set<Split> looked = new TreeSet<>(this instanceof Offsets ? wanted.keySet() : splits);
    requireKnown(looked, known);
    Map<Split, Log.Offsets> offsets = looked.isEmpty() ? Map.of() : log.offsets(looked);
    Map<Split, Long> resolved = new TreeMap<>();
    List<String> problems = new ArrayList<>();
    offsets.forEach((split, has) -> {
      long most = Math.min(has.stableEnd(), ends.getOrDefault(split, Long.MAX_VALUE));
      Long to =
          switch (this) {
            case Rule.EARLIEST -> Long.valueOf(has.start());
            case Rule.LATEST -> Long.valueOf(most);
            case At _ -> Long.valueOf(Math.min(most, Objects.requireNonNull(wanted.get(split))));
            default -> wanted.get(split);
          };
      if (to == null) {
        return;
      }
      if (to < has.start() || to > most) {
        problems.add(
            "%s can be read from offsets %d to %d, but not from %d."
                .formatted(split, has.start(), most, to));
      }
      resolved.put(split, to);
    });
    if (!problems.isEmpty()) {
      throw usage(String.join("\n", problems));
    }
    return resolved;
  }

  private static Map<Split, Long> group(Log log, String group, Set<Split> splits) {
    Map<Split, Long> found = new TreeMap<>(log.committedPositions(group));
    found.keySet().retainAll(splits);
    if (found.isEmpty()) {
      throw usage(
          "Consumer group '%s' has no offsets for the inputs of the application.".formatted(group));
    }
    return found;
  }

  private static void requireKnown(Collection<Split> named, Set<Split> known) {
    for (Split split : named) {
      if (!known.contains(split)) {
        throw usage(
            "The application does not read %s. It reads %s."
                .formatted(split, known.isEmpty() ? "nothing" : known));
      }
    }
  }
}
