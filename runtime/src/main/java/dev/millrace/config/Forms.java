package dev.millrace.config;

import dev.millrace.api.connector.Start;
import dev.millrace.spi.settings.RecordPlace;
import dev.millrace.spi.settings.SizeLimits;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The forms that values have.
final class Forms {
  private static final Map<String, Long> MILLIS =
      units("ms", 1, "s", 1000, "m", 60_000, "h", 3_600_000, "d", 86_400_000);
  private static final Map<String, Long> BYTES =
      units("B", 1, "KB", 1L << 10, "MB", 1L << 20, "GB", 1L << 30, "TB", 1L << 40);
  private static final Pattern AMOUNT = Pattern.compile("([0-9]{1,15}) ?([a-zA-Z]+)");
  private static final Pattern PLACE =
      Pattern.compile("([a-zA-Z0-9._-]{1,249}):([0-9]{1,9}):([0-9]{1,18})");

  static final Form<String> TEXT = new Form<>("text", text -> text, text -> text);

  static final Form<Boolean> SWITCH =
      new Form<>(
          "true or false",
          text ->
              switch (text.toLowerCase(Locale.ROOT)) {
                case "true" -> Boolean.TRUE;
                case "false" -> Boolean.FALSE;
                default -> null;
              },
          Object::toString);

  static final Form<Duration> DURATION =
      new Form<>("a duration such as 100ms, 10s, 5m, 2h or 1d", Forms::duration, Forms::duration);

  static final Form<Long> SIZE =
      new Form<>("a size such as 64KB, 256MB or 2GB", text -> amount(text, BYTES), Forms::size);

  /// Sizes in bytes that may be a limit.
  static final Form<Integer> LIMIT =
      new Form<>(
          "a size such as 64KB or 8MB, at most " + size(SizeLimits.MOST_BYTES),
          Forms::limit,
          bytes -> size(bytes));

  /// Sizes in bytes that may be limits, by name.
  static final Form<Map<String, Integer>> LIMITS =
      new Form<>(
          "one or more of NAME=SIZE, separated by commas, each at most "
              + size(SizeLimits.MOST_BYTES),
          Forms::limits,
          limits ->
              limits.entrySet().stream()
                  .map(each -> each.getKey() + "=" + size(each.getValue()))
                  .collect(Collectors.joining(",")));

  static final Form<Path> PATH = new Form<>("a path", Forms::path, Path::toString);

  static final Form<Start> START =
      new Form<>(
          "earliest, latest or a time such as 2013-01-01T05:00:00Z", Forms::start, Forms::start);

  static final Form<Set<RecordPlace>> PLACES =
      new Form<>(
          "one or more of TOPIC:PARTITION:OFFSET, separated by commas",
          Forms::places,
          places -> places.stream().map(RecordPlace::toString).collect(Collectors.joining(",")));

  private Forms() {}

  /// Returns the form of whole numbers in a range, its ends included.
  static Form<Integer> number(int least, int most) {
    String expected =
        most == Integer.MAX_VALUE
            ? "a whole number from %d on".formatted(least)
            : "a whole number from %d to %d".formatted(least, most);
    return new Form<>(expected, Forms::number, Object::toString)
        .only(expected, value -> value >= least && value <= most);
  }

  /// Returns the form of the constants of an enum, in lower case and with `-` between words.
  static <E extends Enum<E>> Form<E> oneOf(Class<E> type) {
    Map<String, E> names = new LinkedHashMap<>();
    for (E constant : Objects.requireNonNull(type.getEnumConstants())) {
      names.put(name(constant), constant);
    }
    return new Form<>(
        "one of " + String.join(", ", names.keySet()),
        text -> names.get(text.toLowerCase(Locale.ROOT)),
        Forms::name);
  }

  private static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static @Nullable Integer number(String text) {
    return text.matches("-?[0-9]{1,9}") ? Integer.valueOf(text) : null;
  }

  private static @Nullable Duration duration(String text) {
    Long millis = amount(text, MILLIS);
    return millis == null ? null : Duration.ofMillis(millis);
  }

  private static String duration(Duration value) {
    return amount(value.toMillis(), MILLIS);
  }

  private static String size(long bytes) {
    return amount(bytes, BYTES);
  }

  private static @Nullable Integer limit(String text) {
    Long bytes = amount(text, BYTES);
    return bytes == null || bytes < 1 || bytes > SizeLimits.MOST_BYTES
        ? null
        : Integer.valueOf(bytes.intValue());
  }

  private static @Nullable Map<String, Integer> limits(String text) {
    Map<String, Integer> limits = new TreeMap<>();
    if (text.isEmpty()) {
      return limits;
    }
    for (String each : text.split(",")) {
      int at = each.indexOf('=');
      Integer bytes = at < 1 ? null : limit(each.substring(at + 1).strip());
      if (bytes == null) {
        return null;
      }
      limits.put(each.substring(0, at).strip(), bytes);
    }
    return limits;
  }

  private static @Nullable Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException _) {
      return null; // the caller says what is wrong
    }
  }

  private static @Nullable Start start(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "earliest" -> Start.earliest();
      case "latest" -> Start.latest();
      default -> startAt(text);
    };
  }

  private static @Nullable Start startAt(String text) {
    try {
      return Start.at(Instant.parse(text));
    } catch (DateTimeException _) {
      return null; // the caller says what is wrong
    }
  }

  private static String start(Start start) {
    return switch (start) {
      case Start.Earliest _ -> "earliest";
      case Start.Latest _ -> "latest";
      case Start.At at -> at.time().toString();
    };
  }

  private static @Nullable Set<RecordPlace> places(String text) {
    Map<String, RecordPlace> places = new LinkedHashMap<>();
    if (text.isEmpty()) {
      return Set.of();
    }
    for (String each : text.split(",")) {
      Matcher matcher = PLACE.matcher(each.strip());
      if (!matcher.matches()) {
        return null;
      }
      places.put(
          each.strip(),
          new RecordPlace(
              group(matcher, 1),
              Integer.parseInt(group(matcher, 2)),
              Long.parseLong(group(matcher, 3))));
    }
    return Set.copyOf(places.values());
  }

  /// Returns a group that takes part in every match.
  private static String group(Matcher matcher, int number) {
    return Objects.requireNonNull(matcher.group(number));
  }

  private static @Nullable Long amount(String text, Map<String, Long> units) {
    Matcher matcher = AMOUNT.matcher(text);
    if (!matcher.matches()) {
      return null;
    }
    for (Map.Entry<String, Long> unit : units.entrySet()) {
      if (unit.getKey().equalsIgnoreCase(matcher.group(2))) {
        long number = Long.parseLong(group(matcher, 1));
        return number <= Long.MAX_VALUE / unit.getValue() ? number * unit.getValue() : null;
      }
    }
    return null;
  }

  /// Returns the value in the largest unit that leaves a whole number.
  private static String amount(long value, Map<String, Long> units) {
    String text = "";
    for (Map.Entry<String, Long> unit : units.entrySet()) {
      if (text.isEmpty() || (value != 0 && value % unit.getValue() == 0)) {
        text = value / unit.getValue() + unit.getKey();
      }
    }
    return text;
  }

  private static Map<String, Long> units(Object... namesAndValues) {
    Map<String, Long> units = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      units.put((String) namesAndValues[i], ((Number) namesAndValues[i + 1]).longValue());
    }
    return units;
  }
}
