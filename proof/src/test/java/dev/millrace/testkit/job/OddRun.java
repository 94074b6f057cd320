package dev.millrace.testkit.job;

import dev.millrace.api.serde.Bytes;
import dev.millrace.spi.Split;
import dev.millrace.spi.settings.OnError;
import dev.millrace.testkit.log.ModelRecord;
import dev.millrace.testkit.sim.InputRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// A run of one of the applications of [EachOperator] on records that are odd, with its results
/// turned back to those of plain records.
///
/// @param late which record of each input comes late; -1 for none
/// @param incomplete of which some come between the others
/// @param large which value is larger than anything takes; -1 for none
record OddRun(
    String operator, Oddity oddity, OnError policy, int late, Incomplete incomplete, int large) {
  static final int RECORDS = 14;
  private static final int LATE = 9;

  /// The first half comes before midnight.
  private static final int BEFORE = 7;

  private static final String[] KEYS = {"k1", "k1a", "k0", "k2"};
  static final int BATCH = 3;

  /// In the order in which they are written.
  static final List<String> TOPICS =
      List.of(EachOperator.TABLE, EachOperator.IN, EachOperator.OTHER);

  private static final String CLOSING = "k9";
  private static final String NOTHING = "nothing";

  /// Larger than a record of an exchange, a value of a store and a record of a topic may be.
  private static final String TOO_LARGE = "~".repeat(2 << 20);

  /// Records that lack something.
  ///
  /// @param topics that have them
  /// @param key of them; null if they have none
  /// @param valued whether they have a value
  record Incomplete(Set<String> topics, @Nullable String key, boolean valued) {
    private static final Incomplete NONE = new Incomplete(Set.of(), null, true);

    /// Behind which records of a topic one comes.
    static final Set<Integer> BEHIND = Set.of(2, 7, 12);

    boolean is(String topic, int number) {
      return topics.contains(topic) && BEHIND.contains(number);
    }
  }

  /// @param failure why the job has stopped; null if it has not
  /// @param byKey what was written of each key, in order
  /// @param determined what was written that follows from the input alone
  record Found(
      @Nullable String failure,
      Map<String, List<String>> byKey,
      List<String> determined,
      List<TestLetter> letters,
      Set<String> sources) {}

  static OddRun of(String operator, Oddity oddity) {
    return new OddRun(operator, oddity, OnError.FAIL, LATE, Incomplete.NONE, -1);
  }

  OddRun inOrder() {
    return new OddRun(operator, oddity, policy, -1, incomplete, large);
  }

  OddRun onError(OnError newPolicy) {
    return new OddRun(operator, oddity, newPolicy, late, incomplete, large);
  }

  OddRun with(Incomplete records) {
    return new OddRun(operator, oddity, policy, late, records, large);
  }

  OddRun withALargeOne(int record) {
    return new OddRun(operator, oddity, policy, late, incomplete, record);
  }

  private Instant first() {
    return EachOperator.START.plus(oddity.later()).minusSeconds(BEFORE);
  }

  /// @param timed whether values say when they happened, and not the timestamps of their records
  Found run(boolean timed) {
    EachOperator<String, String> plain = new EachOperator<>(oddity.keys(), oddity.values());
    EachOperator<String, String> each = timed ? plain.withTimes(this::time, oddity.zone()) : plain;
    Shape shape =
        Shape.standard()
            .withPartitions(1)
            .withBatch(BATCH)
            .withStart(EachOperator.START.plus(oddity.clockLater()));
    try (TestJob job = TestJob.of(each.application(operator)).shaped(shape).onError(policy)) {
      send(job);
      try {
        job.process();
      } catch (Running.Stopped e) {
        return new Found(
            e.failure().message(), Map.of(), List.of(), List.of(), job.described().sources());
      }
      List<TestLetter> letters = policy == OnError.DEAD_LETTER ? job.deadLetters() : List.of();
      List<ModelRecord> written = job.written(new Split(EachOperator.OUT, 0));
      return found(job.described(), written, letters, timed);
    }
  }

  private Instant time(String value) {
    int number = Integer.parseInt(value.substring(1));
    return first().plusSeconds(number == late ? 1 : number);
  }

  private void send(TestJob job) {
    Set<String> sources = job.described().sources();
    for (String topic : TOPICS) {
      if (sources.contains(topic)) {
        for (int i = 0; i < RECORDS; i++) {
          records(topic, i).forEach(job::send);
        }
      }
    }
    sources.forEach(job::end);
  }

  /// A record behind all others, later than any window of some seconds.
  InputRecord closing(String topic, String key) {
    return record(topic, 3 * RECORDS, Bytes.ofUtf8(key), "x" + CLOSING);
  }

  /// What a topic has for one of the numbers from 0 to [#RECORDS].
  List<InputRecord> records(String topic, int number) {
    String plain =
        switch (topic) {
              case EachOperator.TABLE -> "t";
              case EachOperator.IN -> "v";
              default -> "w";
            }
            + number;
    String value = oddity.values().of().map(plain) + (number == large ? TOO_LARGE : "");
    Bytes key = Bytes.ofUtf8(oddity.keys().of().map(KEYS[number % KEYS.length]));
    List<InputRecord> records = new ArrayList<>();
    records.add(record(topic, number, key, value));
    if (oddity.twice()) {
      records.add(record(topic, number, key, oddity.second(value)));
    }
    if (incomplete.is(topic, number)) {
      String other = incomplete.key();
      records.add(
          record(
              topic,
              number,
              other == null ? null : Bytes.ofUtf8(other),
              incomplete.valued() ? value : null));
    }
    return records;
  }

  private InputRecord record(
      String topic, int number, @Nullable Bytes key, @Nullable String value) {
    long at = first().plusSeconds(number == late ? 1 : number).toEpochMilli();
    Bytes bytes = value == null ? null : Bytes.ofUtf8(value);
    return new InputRecord(new Split(topic, 0), Math.max(0, at), key, bytes);
  }

  /// What records of the results say.
  Found found(
      Described described, List<ModelRecord> written, List<TestLetter> letters, boolean timed) {
    Map<String, List<String>> byKey = new TreeMap<>();
    Map<String, String> lasts = new TreeMap<>();
    Counts counts = Counts.of(described, operator);
    int number = 0;
    for (ModelRecord record : written) {
      String key = key(record.key());
      String value = value(record.value());
      String time = timed ? "" : " at " + (record.timestamp() - first().toEpochMilli());
      byKey.computeIfAbsent(key, _ -> new ArrayList<>()).add(value + time);
      String place =
          switch (counts) {
            case LAST_OF_KEY -> key;
            case LAST_OF_KEY_AND_TIME -> key + time;
            case ALL -> Integer.toString(number++);
          };
      if (TestOutput.isRetraction(record)) {
        lasts.values().remove(key + " = " + value);
      } else if (value.equals(NOTHING)) {
        lasts.remove(place);
      } else {
        lasts.put(place, key + " = " + value);
      }
    }
    List<String> determined = new ArrayList<>(lasts.values());
    Collections.sort(determined);
    return new Found(null, byKey, determined, letters, described.sources());
  }

  /// Which of the results follow from the input alone.
  private enum Counts {
    ALL,
    LAST_OF_KEY,
    LAST_OF_KEY_AND_TIME;

    static Counts of(Described described, String operator) {
      if (described.isTable(EachOperator.OUT)
          || operator.contains("of tables")
          || operator.contains("by a foreign key")
          || operator.startsWith("table, ")
          || operator.contains(" table, ") && !operator.startsWith("windowed table")
          || operator.contains("table of a stream")
          || operator.equals("process with timers")) {
        return LAST_OF_KEY;
      }
      boolean last =
          described.isCorrected(EachOperator.OUT)
              && !described.sink(EachOperator.OUT).retractions();
      return last ? LAST_OF_KEY_AND_TIME : ALL;
    }
  }

  private String key(@Nullable Bytes key) {
    boolean stands = incomplete.valued() && key != null && key.toUtf8().equals(incomplete.key());
    boolean none = key == null || stands;
    return none ? "none" : oddity.keys().text().map(key.toUtf8());
  }

  private String value(@Nullable Bytes value) {
    if (value == null) {
      return NOTHING;
    }
    String text = oddity.values().text().map(value.toUtf8()).replace(TOO_LARGE, "");
    // One of the applications writes keys.
    return operator.startsWith("records, their keys") ? oddity.keys().text().map(text) : text;
  }
}
