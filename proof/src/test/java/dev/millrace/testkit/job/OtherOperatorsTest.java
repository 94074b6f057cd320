package dev.millrace.testkit.job;

import static dev.millrace.api.With.stream;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.Share;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.Windows;
import dev.millrace.api.Within;
import dev.millrace.api.serde.Serdes;
import dev.millrace.internal.engine.topology.Node;
import dev.millrace.internal.engine.topology.TopologyGraph;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class OtherOperatorsTest {
  private static final KafkaKeyedSource<String, String> EVENTS =
      Kafka.source("events").key(Serdes.string()).value(Serdes.string());

  /// A value is its time in seconds.
  private static final KafkaKeyedSource<String, Long> TIMES =
      Kafka.source("times")
          .key(Serdes.string())
          .value(Serdes.longs())
          .eventTime(Instant::ofEpochSecond);

  private static KafkaKeyedSink<String, String> sink(String topic) {
    return Kafka.sink(topic).key(Serdes.string()).value(Serdes.string());
  }

  private static StreamApplication named(String name, StreamApplication described) {
    return new StreamApplication() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public void describe(Topology topology) {
        described.describe(topology);
      }
    };
  }

  @Test
  void whatCameTwiceGoesOnOnce() {
    StreamApplication application =
        named(
            "once",
            topology ->
                topology
                    .from(EVENTS)
                    .groupByKey()
                    .deduplicate("once", Duration.ofMinutes(1), value -> value.charAt(0) + "")
                    .to(sink("unique")));
    Harsh.of(
            application,
            job -> {
              TestInput<Object, Object> events = job.input("events");
              for (int i = 0; i < 12; i++) {
                Instant time = Instant.ofEpochSecond(1_000_000 + 10 * i);
                events.at(time).send("key" + i % 2, "a" + i).send("key" + i % 2, "b" + i);
              }
              events.end();
            })
        .everyRecord()
        .then(job ->
            job.output("unique")
                .hasValuesOf("key0", "a0", "b0", "a6", "b6")
                .hasValuesOf("key1", "a1", "b1", "a7", "b7"))
        .check();
  }

  @Test
  void eachRecordGoesToTheFirstBranchWhoseConditionHolds() {
    StreamApplication application =
        named(
            "branches",
            topology -> {
              var longer = topology.from(EVENTS).branch(value -> value.length() > 2);
              var withA = longer.rest().branch(value -> value.contains("a"));
              longer.matching().to(sink("longer"));
              withA.matching().to(sink("with-a"));
              withA.rest().to(sink("others"));
            });
    Harsh.of(
            application,
            job ->
                job.input("events")
                    .send("k", "a")
                    .send("k", "abc")
                    .send("k", "b")
                    .send("k", "ba")
                    .send("k", "bcd"))
        .everyRecord()
        .then(job -> {
          job.output("longer").hasValues("abc", "bcd");
          job.output("with-a").hasValues("a", "ba");
          job.output("others").hasValues("b");
        })
        .check();
  }

  @Test
  void theElementsOfAValueKeepItsKeyAndNeedNoExchange() {
    StreamApplication application =
        named(
            "elements",
            topology -> {
              var words =
                  topology
                      .from(EVENTS)
                      .flatMapValues(value -> List.of(value.split(" ")))
                      .as(Serdes.string());
              words.to(sink("words"));
              words
                  .groupByKey()
                  .count("words-of-key")
                  .to(Kafka.sink("counts").key(Serdes.string()).value(Serdes.longs()));
            });
    assertTrue(
        TopologyGraph.of(application).nodes().stream().noneMatch(Node.Exchange.class::isInstance));
    Harsh.of(
            application,
            job ->
                job.input("events")
                    .send("ann", "the mill")
                    .send("bob", "the")
                    .send("ann", "and the race"))
        .everyRecord()
        .then(job -> {
          job.output("words").hasValuesOf("ann", "the", "mill", "and", "the", "race");
          job.output("words").hasValuesOf("bob", "the");
          job.output("counts").hasLatest(Map.of("ann", 5L, "bob", 1L));
        })
        .check();
  }

  /// What is made of a result is taken back with it.
  @Test
  void theElementsOfACorrectedResultAreCorrected() {
    StreamApplication application =
        named(
            "elements",
            topology ->
                topology
                    .from(TIMES)
                    .groupByKey()
                    .window(Windows.tumbling(Duration.ofSeconds(10)))
                    .count("counts")
                    .results(result -> result.value())
                    .flatMapValues(count -> List.of(count, 100 + count))
                    .as(Serdes.longs())
                    .groupBy("by-number", number -> number)
                    .count("numbers")
                    .to(Kafka.sink("numbers").key(Serdes.longs()).value(Serdes.longs())));
    try (TestJob job = TestJob.of(application).partitions(1)) {
      for (long time : new long[] {1, 2, 30, 3}) {
        job.input("times").send("a", time);
        job.process();
      }
      job.output("numbers").hasLatest(Map.of(3L, 1L, 103L, 1L)).hasNo(2L).hasNo(102L);
    }
  }

  @Test
  void aSampleHasAllRecordsOfAKeyOrNone() {
    StreamApplication application =
        named(
            "samples",
            topology -> {
              var events = topology.from(EVENTS);
              events.sample(0.5).to(sink("by-key"));
              events.sample(0.5, value -> value.substring(1)).to(sink("by-attribute"));
              var parts = events.branch(Share.of(0.5));
              parts.matching().to(sink("in"));
              parts.rest().to(sink("rest"));
              Share half = Share.of(0.5);
              events
                  .branch(value -> half.holds(value.substring(1)))
                  .rest()
                  .to(sink("rest-by-attribute"));
            });
    Harsh.of(
            application,
            job -> {
              for (int i = 0; i < 40; i++) {
                job.input("events").send("k" + i % 20, i / 20 + "k" + i % 20);
              }
            })
        .everyRecord()
        .then(job -> {
          Map<Object, Long> byKey = counts(job.output("by-key"));
          assertTrue(byKey.size() > 2 && byKey.size() < 18, byKey.toString());
          assertEquals(Set.of(2L), Set.copyOf(byKey.values()));
          // Attributes are the keys here, and their bytes are the same.
          assertEquals(byKey, counts(job.output("by-attribute")));
          assertEquals(byKey, counts(job.output("in")));
          Map<Object, Long> rest = counts(job.output("rest"));
          assertEquals(20, byKey.size() + rest.size());
          assertTrue(rest.keySet().stream().noneMatch(byKey::containsKey), rest.toString());
          assertEquals(Set.of(2L), Set.copyOf(rest.values()));
          assertEquals(rest, counts(job.output("rest-by-attribute")));
        })
        .check();
  }

  @Test
  void whatIsGroupedIsAStreamUnderItsNewKey() {
    StreamApplication application =
        named(
            "grouped",
            topology -> {
              var letters =
                  topology
                      .from(Kafka.source("words").value(Serdes.string()))
                      .groupBy("by-letter", word -> word.substring(0, 1))
                      .stream();
              letters.to(sink("by-letter"));
              letters.merge(topology.from(EVENTS)).to(sink("all"));
              letters
                  .join(
                      "pairs",
                      stream(topology.from(EVENTS), Within.of(Duration.ofSeconds(30))),
                      (word, event) -> word + " " + event)
                  .as(Serdes.string())
                  .to(sink("pairs"));
            });
    Harsh.of(
            application,
            job -> {
              TestInput<Object, Object> words = job.input("words");
              TestInput<Object, Object> events = job.input("events");
              for (int i = 0; i < 6; i++) {
                Instant time = Instant.ofEpochSecond(1_000_000 + 40 * i);
                words.at(time).send("ant" + i).send("bee" + i);
                events.at(time).send("a", "e" + i);
              }
            })
        .then(job -> {
          // Words come from several partitions, so in no order.
          assertEquals(Map.of("a", 6L, "b", 6L), counts(job.output("by-letter")));
          job.output("by-letter")
              .records()
              .forEach(
                  record -> assertTrue(((String) record.value()).startsWith("" + record.key())));
          assertEquals(12, Set.copyOf(job.output("by-letter").values()).size());
          assertEquals(Map.of("a", 12L, "b", 6L), counts(job.output("all")));
          assertEquals(
              Set.of("ant0 e0", "ant1 e1", "ant2 e2", "ant3 e3", "ant4 e4", "ant5 e5"),
              Set.copyOf(job.output("pairs").values()));
          assertEquals(Map.of("a", 6L), counts(job.output("pairs")));
        })
        .check();
  }

  private static Map<Object, Long> counts(TestOutput<Object, Object> output) {
    return output.records().stream()
        .collect(Collectors.groupingBy(TestRecord::key, Collectors.counting()));
  }
}
