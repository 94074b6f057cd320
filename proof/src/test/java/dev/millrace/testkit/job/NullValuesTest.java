package dev.millrace.testkit.job;

import static dev.millrace.api.With.stream;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.Within;
import dev.millrace.api.serde.Serdes;
import dev.millrace.spi.settings.OnError;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Functions that give null.
class NullValuesTest {
  private static final KafkaKeyedSource<String, String> EVENTS =
      Kafka.source("events").key(Serdes.string()).value(Serdes.string());
  private static final KafkaKeyedSink<String, String> OUT =
      Kafka.sink("out").key(Serdes.string()).value(Serdes.string());
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  /// @param describes gets events, whose value is null where it was "null"
  private record Application(BiConsumer<Topology, KeyedStream<String, String>> describes)
      implements StreamApplication {
    @Override
    public String name() {
      return "nulls";
    }

    @Override
    public void describe(Topology topology) {
      describes.accept(topology, topology.from(EVENTS).mapValues(Application::read));
    }

    @SuppressWarnings("NullAway") // what an application does that does not check its nulls
    private static String read(String value) {
      return value.equals("null") ? null : value;
    }
  }

  enum Writes {
    SINK {
      @Override
      void describe(KeyedStream<String, String> events) {
        events.to(OUT);
      }
    },
    EXCHANGE {
      @Override
      void describe(KeyedStream<String, String> events) {
        events.repartition("again").to(OUT);
      }
    },
    TABLE {
      @Override
      void describe(KeyedStream<String, String> events) {
        events.groupByKey().latest("latest").toStream().to(OUT);
      }
    },
    FOLD {
      @Override
      void describe(KeyedStream<String, String> events) {
        events.groupByKey().reduce("last", (before, now) -> now).toStream().to(OUT);
      }
    };

    abstract void describe(KeyedStream<String, String> events);
  }

  private static TestJob job(Writes writes, OnError policy) {
    TestJob job =
        TestJob.of(new Application((_, events) -> writes.describe(events)))
            .shaped(Shape.standard().withPartitions(1).withBatch(1))
            .onError(policy);
    job.input("events").at(START).send("a", "1").send("b", "null").send("c", "3");
    return job;
  }

  @ParameterizedTest
  @EnumSource(Writes.class)
  void aNullThatIsToBeKeptOrSentIsOnError(Writes writes) {
    try (TestJob job = job(writes, OnError.FAIL)) {
      String failure = job.failure();
      assertTrue(failure.contains("events:0:1"), failure);
      assertTrue(failure.contains("The value is null"), failure);
    }
    try (TestJob job = job(writes, OnError.DEAD_LETTER)) {
      job.output("out").hasValues("1", "3");
      assertEquals(1, job.deadLetters().size());
    }
  }

  @Test
  void aFilterBehindTheFunctionDropsThem() {
    try (TestJob job =
        TestJob.of(new Application((_, events) -> events.filter(Objects::nonNull).to(OUT)))) {
      job.input("events").send("a", "1").send("b", "null").send("c", "3");
      job.output("out").hasValues("1", "3");
    }
  }

  /// Entries refer to others by what stands behind a colon; to nothing if that is "-".
  private static @Nullable String reference(String entry) {
    String to = entry.substring(entry.indexOf(':') + 1);
    return to.equals("-") ? null : to;
  }

  private static void refer(TestJob job) {
    job.input("people").send("berlin", "B").send("-", "nothing");
    job.process();
    job.input("events")
        .at(START)
        .send("ann", "1:berlin")
        .send("bob", "2:-")
        .send("cid", "3:rome")
        .send("dan", "4:-");
    job.process();
    job.input("events").send("ann", "5:-").send("bob", "6:berlin").delete("dan");
  }

  @SuppressWarnings("NullAway") // a foreign key may be null
  private static StreamApplication references(boolean left) {
    return new StreamApplication() {
      @Override
      public String name() {
        return "references";
      }

      @Override
      public void describe(Topology topology) {
        var entries = topology.table("entries", EVENTS);
        var others =
            topology.table(
                "others", Kafka.source("people").key(Serdes.string()).value(Serdes.string()));
        var joined =
            left
                ? entries
                    .leftJoin("j", others, each -> reference(each), (a, b) -> a + "+" + b)
                    .as(Serdes.string())
                : entries
                    .join("j", others, each -> reference(each), (a, b) -> a + "+" + b)
                    .as(Serdes.string());
        joined.to(OUT);
      }
    };
  }

  @Test
  void anEntryThatRefersToNothingHasNoneInALeftJoin() {
    Harsh.of(references(true), NullValuesTest::refer)
        .then(job ->
            job.output("out")
                .hasLatest(Map.of("ann", "5:-+null", "bob", "6:berlin+B", "cid", "3:rome+null")))
        .check();
  }

  @Test
  void anEntryThatRefersToNothingIsNotInAnInnerJoin() {
    Harsh.of(references(false), NullValuesTest::refer)
        .then(job -> job.output("out").hasLatest(Map.of("bob", "6:berlin+B")))
        .check();
  }

  /// Two rows that are equal have no partner, and making their results fails.
  @Test
  void equalRowsThatWerePassedOverFindTheirPartner() {
    StreamApplication application =
        new Application((_, events) ->
            events
                .filter(value -> value.startsWith("l"))
                .leftJoin(
                    "alone",
                    stream(
                        events.filter(value -> value.startsWith("r")),
                        Within.of(Duration.ofSeconds(1)).allowedLateness(Duration.ofMinutes(1))),
                    (left, right) -> left + Objects.requireNonNull(right, "nobody"))
                .as(Serdes.string())
                .to(OUT));
    try (TestJob job = TestJob.of(application).partitions(1).onError(OnError.DEAD_LETTER)) {
      var events = job.input("events");
      events.at(START).send("k", "l").send("k", "l");
      events.at(START.plusSeconds(10)).send("k", "x");
      job.process();
      assertEquals(2, job.deadLetters().size());
      events.at(START).send("k", "r");
      job.output("out").hasValues("lr", "lr");
      assertEquals(2, job.deadLetters().size());
    }
  }
}
