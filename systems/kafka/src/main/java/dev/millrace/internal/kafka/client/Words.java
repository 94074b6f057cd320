package dev.millrace.internal.kafka.client;

import java.time.Duration;
import java.util.regex.Pattern;

/// Formats texts of Kafka and its clients as sentences in one line.
public final class Words {
  private static final Pattern WHITE = Pattern.compile("\\s+");
  private static final Pattern STOPS = Pattern.compile("[.\\s]+$");

  private Words() {}

  /// Returns a time as people write it.
  public static String time(Duration time) {
    long millis = time.toMillis();
    if (millis % 60_000 == 0 && millis > 60_000) {
      return millis / 60_000 + " min";
    }
    return millis % 1_000 == 0 ? millis / 1_000 + " s" : millis + " ms";
  }

  /// Returns a text as one or more sentences that end with a period.
  public static String sentence(String text) {
    String line = WHITE.matcher(text.strip()).replaceAll(" ");
    return line.isEmpty() || line.endsWith("?") || line.endsWith("!") ? line : clause(line) + ".";
  }

  /// Returns a text as a part of a sentence: without its own end.
  public static String clause(String text) {
    return STOPS.matcher(WHITE.matcher(text.strip()).replaceAll(" ")).replaceAll("");
  }

  /// Returns the sentences of both.
  public static String both(String first, String second) {
    return first.isEmpty() ? sentence(second) : (sentence(first) + " " + sentence(second)).strip();
  }
}
