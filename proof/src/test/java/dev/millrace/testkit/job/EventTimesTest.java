package dev.millrace.testkit.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaSource;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.Windows;
import dev.millrace.api.connector.Timestamps;
import dev.millrace.api.serde.Serdes;
import dev.millrace.spi.settings.OnError;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// Event times that a topic does not take: before 1970, and far ahead. Values are their own times.
class EventTimesTest {
  private static final Duration DISORDER = Duration.ofDays(12_000);
  private static final Duration SIZE = Duration.ofSeconds(10);
  private static final KafkaSource<String> EVENTS =
      Kafka.source("events").value(Serdes.string()).eventTime(EventTimesTest::time, DISORDER);

  /// What the clock of a test shows at first.
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private static final long[] ACROSS = {
    -1, 0, 1, -10_000, -10_001, 9_999, 10_000, -1_000_000_000_000L, -1_000_000_000_001L
  };

  private static Instant time(String value) {
    return Instant.ofEpochMilli(Long.parseLong(value));
  }

  /// Counts in windows behind an exchange, and tells each result by its window.
  private record Counting(Timestamps timestamps) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology
          .from(EVENTS)
          .groupBy("by-name", _ -> "all")
          .keyAs(Serdes.string())
          .window(Windows.tumbling(SIZE))
          .count("counted")
          .results(result -> result.window().start().toEpochMilli() + "=" + result.value())
          .repartition("again")
          .to(Kafka.sink("out").key(Serdes.string()).value(Serdes.string()).timestamps(timestamps));
    }
  }

  /// Passes events on, behind an exchange.
  private record PassingOn(Timestamps timestamps, String longestAhead)
      implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology.from(EVENTS).groupBy("by-name", value -> value).keyAs(Serdes.string()).stream()
          .to(
              Kafka.sink("out")
                  .setting("message.timestamp.after.max.ms", longestAhead)
                  .key(Serdes.string())
                  .value(Serdes.string())
                  .timestamps(timestamps));
    }
  }

  private static TestJob passingOn(Timestamps timestamps, String longestAhead) {
    return TestJob.of(new PassingOn(timestamps, longestAhead)).partitions(1);
  }

  private static List<String> counted() {
    return LongStream.of(ACROSS)
        .map(time -> Math.floorDiv(time, SIZE.toMillis()) * SIZE.toMillis())
        .sorted()
        .distinct()
        .mapToObj(start ->
            start
                + "="
                + LongStream.of(ACROSS)
                    .filter(time -> time >= start && time < start + SIZE.toMillis())
                    .count())
        .toList();
  }

  @Test
  void windowsBehindExchangesHoldWhatHappenedBefore1970() {
    try (TestJob job = TestJob.of(new Counting(Timestamps.CLAMPED)).partitions(1)) {
      LongStream.of(ACROSS).forEach(time -> job.input("events").send(Long.toString(time)));
      job.input("events").send(Long.toString(10 * SIZE.toMillis() + DISORDER.toMillis()));
      job.crash();
      TestOutput<Object, Object> out = job.output("out");
      assertEquals(counted(), out.records().stream().map(TestRecord::value).toList());
      for (TestRecord<Object, Object> result : out.records()) {
        long start = Long.parseLong(result.value().toString().replaceAll("=.*", ""));
        assertEquals(Math.max(0, start + SIZE.toMillis() - 1), result.timestamp().toEpochMilli());
      }
    }
  }

  @Test
  void aSinkRefusesWhatItsTopicDoesNotTakeAndNamesTheRecordAndTheSetting() {
    String far = Long.toString(START.toEpochMilli() * 2);
    for (String time : List.of("-1", far)) {
      try (TestJob job =
          TestJob.of(new PassingOn(Timestamps.EVENT_TIME, "3600000")).partitions(1)) {
        job.input("events").send("5").send(time);
        String failure = job.failure();
        assertTrue(failure.contains("by-name-exchange:0:1"), failure);
        assertTrue(failure.contains("topic 'out'"), failure);
        assertTrue(failure.contains("Timestamps.CLAMPED"), failure);
        assertTrue(
            failure.contains(time.equals(far) ? "message.timestamp.after.max.ms" : "before 1970"),
            failure);
      }
    }
  }

  @Test
  void whatASinkRefusesIsADeadLetterWithItsEventTimeIfThatIsThePolicy() {
    try (TestJob job = passingOn(Timestamps.EVENT_TIME, "3600000").onError(OnError.DEAD_LETTER)) {
      job.input("events").send("5").send("-7000").send("6");
      job.output("out").hasValues("5", "6");
      TestLetter letter = job.deadLetters().getFirst();
      assertEquals("-7000", letter.header("millrace.timestamp"));
      assertEquals("-7000", letter.value().toUtf8());
      assertEquals(1, job.deadLetters().size());
    }
  }

  @Test
  void aSinkThatIsToldSoWritesThemWithTheNearestTimestampOrThatOfWriting() {
    long far = Instant.parse("2200-01-01T00:00:00Z").toEpochMilli();
    for (Timestamps wanted : List.of(Timestamps.CLAMPED, Timestamps.OF_WRITING)) {
      try (TestJob job = TestJob.of(new PassingOn(wanted, "3600000")).partitions(1)) {
        job.input("events").send("-1").send("5").send(Long.toString(far));
        List<Long> found =
            job.output("out").records().stream()
                .map(record -> record.timestamp().toEpochMilli())
                .toList();
        assertEquals(3, found.size());
        boolean clamped = wanted == Timestamps.CLAMPED;
        assertTrue(clamped ? found.get(0) == 0 : isNow(found.get(0)), found::toString);
        assertTrue(clamped ? found.get(1) == 5 : isNow(found.get(1)), found::toString);
        assertTrue(isNow(found.get(2)), found::toString);
      }
    }
  }

  private static boolean isNow(long time) {
    return time >= START.toEpochMilli() && time < START.plus(Duration.ofDays(3_650)).toEpochMilli();
  }
}
