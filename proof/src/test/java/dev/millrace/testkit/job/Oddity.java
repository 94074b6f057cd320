package dev.millrace.testkit.job;

import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Serdes;
import dev.millrace.testkit.job.EachOperator.Form;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// A way in which records may be odd, and what turns odd results back into plain ones: an operator
/// gives for odd records what it gives for plain ones, only in the odd form.
///
/// @param name as the document has it
/// @param explained in a sentence
/// @param keys how plain keys look when they are odd
/// @param values how plain values look when they are odd
/// @param later by how much all records are later
/// @param clockLater by how much the clock is
/// @param twice whether each record is there twice, as the same bytes
/// @param zone in which days begin
record Oddity(
    String name,
    String explained,
    Form<String> keys,
    Form<String> values,
    Duration later,
    Duration clockLater,
    boolean twice,
    ZoneId zone) {
  static final Form<String> PLAIN =
      new Form<>(Serdes.string(), text -> text, Objects::requireNonNull, text -> text);
  private static final List<String> KEYS = List.of("k0", "k1", "k1a", "k2");
  static final ZoneId UTC = ZoneOffset.UTC;
  private static final String MARK = "'";
  private static final String PADDING = "~".repeat(20_000);

  /// Plain keys in their order, and the odd ones in theirs.
  private static Form<String> pairs(List<String> plain, List<String> odd) {
    Map<String, String> there = new HashMap<>();
    Map<String, String> back = new HashMap<>();
    for (int i = 0; i < plain.size(); i++) {
      there.put(plain.get(i), odd.get(i));
      back.put(odd.get(i), plain.get(i));
    }
    return form(text -> there.getOrDefault(text, text), text -> back.getOrDefault(text, text));
  }

  private static Form<String> form(Mapper<String, String> there, Mapper<String, String> back) {
    return new Form<>(Serdes.string(), there, back, text -> text);
  }

  static Oddity ofKeys(String name, String explained, String... odd) {
    return new Oddity(
        name,
        explained,
        pairs(KEYS, List.of(odd)),
        PLAIN,
        Duration.ZERO,
        Duration.ZERO,
        false,
        UTC);
  }

  private static Oddity ofValues(String name, String explained, Form<String> values) {
    return new Oddity(name, explained, PLAIN, values, Duration.ZERO, Duration.ZERO, false, UTC);
  }

  private static Oddity empty(String value) {
    return ofValues(
        "empty value",
        "A value of each input has no bytes.",
        pairs(List.of(value, ""), List.of("", "\0")));
  }

  private static Oddity ofTimes(String name, String explained, String first, boolean clock) {
    Duration later = Duration.between(EachOperator.START, Instant.parse(first));
    return new Oddity(
        name, explained, PLAIN, PLAIN, later, clock ? later : Duration.ZERO, false, UTC);
  }

  private static Oddity ofDays(String zone, String midnight) {
    Duration later = Duration.between(EachOperator.START, Instant.parse(midnight));
    return new Oddity(
        "days",
        "Records are from both sides of a midnight in Berlin, Kolkata and Santiago at which a day"
            + " of 23 or 25 hours begins or ends; one of these days has no midnight.",
        PLAIN,
        PLAIN,
        later,
        later,
        false,
        ZoneId.of(zone));
  }

  /// Whether records are so far ahead of the clock that event time does not follow them.
  boolean isAheadOfTheClock() {
    return later.compareTo(clockLater) > 0;
  }

  /// Records with nothing odd.
  static Oddity none() {
    return new Oddity(
        "plain", "Nothing is odd.", PLAIN, PLAIN, Duration.ZERO, Duration.ZERO, false, UTC);
  }

  /// Each record twice, and the second one can be told from the first by a mark in its value.
  static Oddity marked() {
    return new Oddity("marked", "", PLAIN, marks(), Duration.ZERO, Duration.ZERO, true, UTC);
  }

  private static Form<String> marks() {
    return form(text -> text, text -> text.replace(MARK, ""));
  }

  /// The second of two records that are the same.
  String second(String value) {
    return name.equals("marked") ? value + MARK : value;
  }

  boolean isOfDays() {
    return !zone.equals(UTC);
  }

  boolean isOfTimes() {
    return !later.isZero();
  }

  static List<Oddity> all() {
    return List.of(
        ofKeys("empty key", "One of the keys has no bytes.", "", "k1", "k1a", "k2"),
        ofKeys(
            "prefixes",
            "Each key is a prefix of the next one, and one ends in zeros.",
            "a",
            "a\0",
            "a\0\0",
            "aa"),
        ofKeys(
            "equal hashes", "All keys have the same hash in Java.", "AaAa", "AaBB", "BBAa", "BBBB"),
        ofKeys(
            "equal murmur2",
            "All keys have the same hash in Kafka's partitioner.",
            "user-1004232",
            "user-1018339",
            "user-682928",
            "user-687486"),
        ofKeys(
            "eight bytes",
            "Keys are numbers of eight bytes, most of them zeros.",
            "\0\0\0\0\0\0\0\0",
            "\0\0\0\0\0\0\0\u0001",
            "\0\0\0\0\0\0\u0001\0",
            "\u007f\u007f\u007f\u007f\u007f\u007f\u007f\u007f"),
        ofKeys(
            "high bytes",
            "Keys have bytes above 0x7F.",
            "\u0080",
            "\u00ff",
            "\u00ff\u00ff",
            "\ud83d\ude00"),
        ofKeys(
            "long keys",
            "Keys of 60,000 bytes that differ in the last one.",
            "k".repeat(59_999) + "0",
            "k".repeat(59_999) + "1",
            "k".repeat(59_999) + "2",
            "k".repeat(59_999) + "3"),
        empty("v0"),
        empty("w0"),
        empty("t0"),
        ofValues(
            "large values",
            "Each value has 20,000 more bytes.",
            form(text -> text + PADDING, text -> text.replace(PADDING, ""))),
        ofTimes(
            "before 1970",
            "Records are from seven seconds before the beginning of 1970 to six seconds after it.",
            "1970-01-01T00:00:00Z",
            false),
        ofTimes(
            "year 5000",
            "Records are from the year 5000, and so is the time of the clock.",
            "5000-01-01T00:00:00Z",
            true),
        ofTimes(
            "far ahead",
            "Records are from the year 5000, and the clock shows 2026.",
            "5000-01-01T00:00:00Z",
            false),
        new Oddity(
            "duplicates",
            "Each record is written twice, with the same bytes.",
            PLAIN,
            PLAIN,
            Duration.ZERO,
            Duration.ZERO,
            true,
            UTC),
        ofDays("Europe/Berlin", "2026-03-28T23:00:00Z"),
        ofDays("Europe/Berlin", "2026-03-29T22:00:00Z"),
        ofDays("Europe/Berlin", "2026-10-24T22:00:00Z"),
        ofDays("Europe/Berlin", "2026-10-25T23:00:00Z"),
        ofDays("America/Santiago", "2026-09-06T04:00:00Z"),
        ofDays("Asia/Kolkata", "2026-05-01T18:30:00Z"));
  }
}
