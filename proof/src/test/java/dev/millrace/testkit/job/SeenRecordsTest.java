package dev.millrace.testkit.job;

import static dev.millrace.api.With.broadcast;
import static dev.millrace.api.With.table;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.Windows;
import dev.millrace.api.function.Record;
import dev.millrace.api.serde.Serdes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Operators behind `records()` see key, headers and timestamp of each record, and keep the key.
class SeenRecordsTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final int RECORDS = 24;
  private static final int WINDOW = 6;

  private static KafkaKeyedSource<String, String> textSource(String topic) {
    return Kafka.source(topic).key(Serdes.string()).value(Serdes.string());
  }

  private static KafkaKeyedSink<String, String> textSink(String topic) {
    return Kafka.sink(topic).key(Serdes.string()).value(Serdes.string());
  }

  private static String tenant(Record<?, ?> record) {
    byte[] tenant = record.header("tenant");
    return tenant == null ? "nobody" : new String(tenant, StandardCharsets.UTF_8);
  }

  private static String told(Record<String, String> record) {
    return record.key() + " " + record.value() + " " + second(record) + " " + tenant(record);
  }

  private static long second(Record<?, ?> record) {
    return record.timestamp() / 1_000 - START.getEpochSecond();
  }

  private static final class Application implements StreamApplication {
    @Override
    public String name() {
      return "seen";
    }

    @Override
    public void describe(Topology topology) {
      var in = topology.from(textSource("in"));
      var table = topology.table("prices", textSource("prices"));
      var known = topology.broadcastTable("known", textSource("tenants"));
      var records = in.records();
      records.filter(r -> tenant(r).equals("t0")).mapValues(Record::value).to(textSink("filtered"));
      records.mapValues(r -> told(r)).to(textSink("mapped"));
      records.flatMapValues(r -> List.of(r.key(), tenant(r))).to(textSink("several"));
      var parts = records.peek(r -> tenant(r)).branch(r -> second(r) % 2 == 0);
      parts.matching().mapValues(Record::value).to(textSink("even"));
      parts.rest().mapValues(r -> r.value()).to(textSink("odd"));
      records
          .join("priced", table(table), (r, price) -> told(r) + " " + price)
          .to(textSink("priced"));
      records
          .leftJoin("named", broadcast(known, r -> tenant(r)), (r, name) -> told(r) + " " + name)
          .to(textSink("named"));
      records
          .groupByKey()
          .aggregate("all", () -> "", (all, r) -> all + "," + told(r))
          .toStream()
          .to(textSink("folded"));
      in.groupBy("by-digit", value -> value.substring(value.length() - 1)).stream()
          .records()
          .mapValues(r -> told(r))
          .to(textSink("exchanged"));
      records
          .map(r -> told(r))
          .records()
          .map(r -> r.key() + " " + r.value() + " " + tenant(r))
          .to(Kafka.sink("unkeyed").value(Serdes.string()));
      in.groupByKey()
          .window(Windows.tumbling(Duration.ofSeconds(WINDOW)))
          .count("n")
          .results(result -> result.value())
          .records()
          .mapValues(r -> r.key() + " " + r.value() + " " + second(r))
          .to(textSink("windows").withRetractions());
    }
  }

  private record Sent(String key, String value, int second, String tenant) {
    static Sent of(int number) {
      // The last is late.
      int second = number == RECORDS - 1 ? 15 : number;
      return new Sent("k" + number % 3, "v" + number, second, "t" + number % 4);
    }

    String told() {
      return key + " " + value + " " + second + " " + tenant;
    }

    String with(String told) {
      return key + "=" + told;
    }
  }

  private static final List<Sent> SENT = new ArrayList<>();

  static {
    for (int i = 0; i < RECORDS; i++) {
      SENT.add(Sent.of(i));
    }
  }

  private static void send(TestJob job) {
    for (int i = 0; i < 3; i++) {
      job.input("prices").at(START).send("k" + i, "p" + i);
    }
    job.input("prices").end();
    job.input("tenants").at(START).send("t1", "one");
    job.input("tenants").end();
    var in = job.input("in");
    for (Sent each : SENT) {
      in.at(START.plusSeconds(each.second))
          .header("tenant", each.tenant)
          .send(each.key, each.value);
    }
    in.end();
  }

  private static List<String> lines(TestJob job, String topic) {
    return job.output(topic).records().stream()
        .map(record -> record.key() + "=" + record.value())
        .sorted()
        .toList();
  }

  private static List<String> sorted(List<String> lines) {
    return lines.stream().sorted().toList();
  }

  private static void check(TestJob job) {
    Map<String, List<String>> expected = new TreeMap<>();
    Map<String, String> folded = new TreeMap<>();
    for (Sent each : SENT) {
      if (each.tenant.equals("t0")) {
        add(expected, "filtered", each.with(each.value));
      }
      add(expected, "mapped", each.with(each.told()));
      add(expected, "several", each.with(each.key));
      add(expected, "several", each.with(each.tenant));
      add(expected, each.second % 2 == 0 ? "even" : "odd", each.with(each.value));
      add(expected, "priced", each.with(each.told() + " p" + each.key.charAt(1)));
      add(
          expected,
          "named",
          each.with(each.told() + " " + (each.tenant.equals("t1") ? "one" : "null")));
      String digit = each.value.substring(each.value.length() - 1);
      add(
          expected,
          "exchanged",
          "%s=%s %s %d %s".formatted(digit, digit, each.value, each.second, each.tenant));
      add(expected, "unkeyed", "null=null " + each.told() + " " + each.tenant);
      folded.merge(each.key, "," + each.told(), String::concat);
    }
    expected.forEach(
        (topic, lines) -> assertEquals(sorted(lines), lines(job, topic), "topic " + topic));
    job.output("folded").hasLatest(folded);
    checkWindows(job);
  }

  private static void checkWindows(TestJob job) {
    Map<String, Integer> counts = new TreeMap<>();
    for (Sent each : SENT) {
      counts.merge(each.key + " " + each.second / WINDOW, 1, Integer::sum);
    }
    List<String> expected = new ArrayList<>();
    counts.forEach((place, count) -> {
      String key = place.substring(0, place.indexOf(' '));
      int window = Integer.parseInt(place.substring(place.indexOf(' ') + 1));
      expected.add(key + " " + count + " " + (window * WINDOW + WINDOW - 1));
    });
    assertEquals(
        sorted(expected),
        sorted(job.output("windows").values().stream().map(String::valueOf).toList()));
  }

  private static void add(Map<String, List<String>> lines, String topic, String line) {
    lines.computeIfAbsent(topic, _ -> new ArrayList<>()).add(line);
  }

  @Test
  void byAnyOperatorBehindThem() {
    Harsh.of(new Application(), SeenRecordsTest::send).then(SeenRecordsTest::check).check();
  }

  @Test
  void withTheTopicTheyWereReadFrom() {
    StreamApplication application =
        new StreamApplication() {
          @Override
          public String name() {
            return "seen";
          }

          @Override
          public void describe(Topology topology) {
            var in = topology.from(textSource("in"));
            in.records()
                .mapValues(r -> r.topic() + ":" + r.partition() + ":" + r.offset())
                .to(textSink("read"));
            in.repartition("again").records().mapValues(r -> r.topic()).to(textSink("exchanged"));
          }
        };
    try (TestJob job = TestJob.of(application).partitions(1)) {
      job.input("in").send("a", "1").send("b", "2").send("a", "3");
      job.output("read").hasValues("in:0:0", "in:0:1", "in:0:2");
      for (TestRecord<Object, Object> record : job.output("exchanged").records()) {
        String topic = String.valueOf(record.value());
        assertTrue(topic.contains("again"), topic);
      }
    }
  }
}
