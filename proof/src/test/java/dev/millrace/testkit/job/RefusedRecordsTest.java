package dev.millrace.testkit.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.spi.settings.OnError;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RefusedRecordsTest {
  private static final KafkaKeyedSource<String, String> EVENTS =
      Kafka.source("events").key(Serdes.string()).value(Serdes.string());
  private static final KafkaKeyedSink<String, Long> OUT =
      Kafka.sink("out").key(Serdes.string()).value(Serdes.longs());

  /// What the clock of a test shows at first.
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private record Lengths(KafkaKeyedSource<String, String> events) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology
          .from(events)
          .mapValues(value -> {
            if (value.length() > 1_000) {
              throw new IllegalArgumentException("long: " + value);
            }
            return (long) value.length();
          })
          .to(OUT);
    }
  }

  @Test
  void aRecordTooFarAheadOfTheClockIsOnError() {
    StreamApplication application = new Lengths(EVENTS.refuseAhead(Duration.ofHours(1)));
    try (TestJob job = TestJob.of(application).partitions(1)) {
      job.input("events").at(START.plus(Duration.ofMinutes(59))).send("k", "ok");
      job.output("out").hasValues(2L);
      job.input("events").at(START.plus(Duration.ofDays(3))).send("k", "far");
      String failure = job.failure();
      assertTrue(failure.contains("events:0:1"), failure);
      assertTrue(failure.contains("2026-01-04T00:00:00Z, more than PT1H ahead"), failure);
    }
    try (TestJob job = TestJob.of(application).partitions(1).onError(OnError.DEAD_LETTER)) {
      job.input("events").at(START.plus(Duration.ofDays(3))).send("k", "far").send("k", "too");
      job.input("events").at(START).send("k", "ok");
      job.output("out").hasValues(2L);
      assertEquals(2, job.deadLetters().size());
    }
  }

  /// No topic takes a letter of that size: the record, its headers, and a cause that repeats it.
  @Test
  void aLetterThatWouldBeTooLargeSaysWhereTheRecordLies() {
    int bytes = (1 << 20) - 200;
    try (TestJob job = TestJob.of(new Lengths(EVENTS)).partitions(1).onError(OnError.DEAD_LETTER)) {
      job.input("events").send("k", "x".repeat(bytes)).send("k", "y".repeat(1_001)).send("k", "z");
      job.output("out").hasValues(1L);
      TestLetter large = job.deadLetters().getFirst();
      assertNull(large.value());
      assertNull(large.key());
      assertEquals("events", large.header("millrace.topic"));
      assertEquals("0", large.header("millrace.offset"));
      assertEquals(Integer.toString(bytes + 1), large.header("millrace.left-out"));
      assertTrue(large.header("millrace.cause").startsWith("long: xxx"));
      assertTrue(large.header("millrace.cause").length() < 3_000);
      TestLetter small = job.deadLetters().getLast();
      assertEquals("y".repeat(1_001), small.value().toUtf8());
      assertTrue(small.header("millrace.cause").endsWith("y"));
    }
  }
}
