package dev.millrace.testkit.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.InvalidTopologyException;
import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.Windows;
import dev.millrace.api.serde.Serdes;
import dev.millrace.spi.settings.OnError;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Several topics in one source, and topics that records choose of a pattern.
class SeveralTopicsTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final List<String> TOPICS = List.of("orders-at", "orders-ch", "orders-fr");
  private static final int RECORDS = 30;

  /// A program called that way.
  private record Named(Consumer<Topology> program) implements StreamApplication {
    @Override
    public String name() {
      return "several";
    }

    @Override
    public void describe(Topology topology) {
      program.accept(topology);
    }
  }

  private static KafkaKeyedSource<String, String> keyed(Kafka.UntypedSource topics) {
    return topics.key(Serdes.string()).value(Serdes.string());
  }

  /// Counts by key and window over all topics, and passes each record on with its topic.
  private static StreamApplication reading(Kafka.UntypedSource topics) {
    return new Named(topology -> {
      var in = topology.from(keyed(topics));
      in.groupByKey()
          .window(Windows.tumbling(Duration.ofSeconds(5)))
          .count("n")
          .results(result -> result.window().start() + "=" + result.value())
          .to(Kafka.sink("counts").key(Serdes.string()).value(Serdes.string()));
      in.records()
          .map(record -> record.key() + "=" + record.topic() + "=" + record.value())
          .to(Kafka.sink("all").value(Serdes.string()));
    });
  }

  private static String key(int number) {
    return "k" + number % 4;
  }

  private static String topic(int number) {
    return TOPICS.get(number * 7 % 10 % TOPICS.size());
  }

  private static void send(TestJob job) {
    for (String topic : TOPICS) {
      var input = job.input(topic);
      for (int i = 0; i < RECORDS; i++) {
        if (topic(i).equals(topic)) {
          input.at(START.plusSeconds(i)).send(key(i), "v" + i);
        }
      }
      input.end();
    }
  }

  private static void check(TestJob job) {
    Map<String, Integer> counts = new TreeMap<>();
    List<String> all = new ArrayList<>();
    for (int i = 0; i < RECORDS; i++) {
      counts.merge(key(i) + "@" + START.plusSeconds(i / 5 * 5), 1, Integer::sum);
      all.add(key(i) + "=" + topic(i) + "=v" + i);
    }
    assertEquals(all.stream().sorted().toList(), values(job, "all"));
    List<String> expected = new ArrayList<>();
    counts.forEach((place, count) -> expected.add(place.replace('@', '=') + "=" + count));
    assertEquals(expected.stream().sorted().toList(), lines(job, "counts"));
  }

  private static List<String> lines(TestJob job, String topic) {
    return job.output(topic).records().stream()
        .map(record -> record.key() + "=" + record.value())
        .sorted()
        .toList();
  }

  private static List<String> values(TestJob job, String topic) {
    return job.output(topic).values().stream().map(String::valueOf).sorted().toList();
  }

  @Test
  void recordsOfSeveralTopicsAreOneStream() {
    for (Kafka.UntypedSource topics :
        List.of(
            Kafka.sources("orders-fr", "orders-at", "orders-ch"),
            Kafka.sources(Pattern.compile("orders-..")),
            Kafka.sourcesUnder("orders-"))) {
      Harsh.of(reading(topics), SeveralTopicsTest::send).then(SeveralTopicsTest::check).check();
    }
  }

  @Test
  void whatIsSaidOfThemIsSaidOfEach() {
    KafkaKeyedSource<String, Optional<String>> topics =
        keyed(Kafka.sources("a", "b").partitions(2))
            .eventTime(value -> START.plusSeconds(value.length()))
            .withDeletions();
    StreamApplication application =
        new Named(topology ->
            topology
                .from(topics)
                .records()
                .map(record -> record.topic() + " " + record.timestamp() + " " + record.value())
                .to(Kafka.sink("out").value(Serdes.string())));
    try (TestJob job = TestJob.of(application)) {
      job.input("b").at(START).send("k", Optional.of("four"));
      job.input("a").at(START).delete("k");
      assertEquals(
          List.of(
              "a " + START.toEpochMilli() + " Optional.empty",
              "b " + START.plusSeconds(4).toEpochMilli() + " Optional[four]"),
          values(job, "out"));
    }
  }

  @Test
  void keyedTopicsHaveAsManyPartitionsAsEachOther() {
    StreamApplication application =
        new Named(topology ->
            topology
                .from(Kafka.source("a").partitions(2).key(Serdes.string()).value(Serdes.string()))
                .merge(topology.from(keyed(Kafka.sources("b", "c").partitions(3))))
                .to(Kafka.sink("out").key(Serdes.string()).value(Serdes.string())));
    var refused =
        assertThrows(InvalidTopologyException.class, () -> TestJob.of(application).process());
    assertTrue(refused.getMessage().contains("'a' has 2"), refused.getMessage());
    assertTrue(refused.getMessage().contains("'b' has 3"), refused.getMessage());
  }

  private static void assertRefused(Consumer<Topology> program, String... parts) {
    var refused =
        assertThrows(
            InvalidTopologyException.class, () -> TestJob.of(new Named(program)).process());
    for (String part : parts) {
      assertTrue(refused.getMessage().contains(part), refused.getMessage());
    }
  }

  @Test
  void severalTopicsAreNoTableAndNoSinkOfAllRecords() {
    assertRefused(
        topology -> topology.table("t", keyed(Kafka.sources("a", "b"))),
        "table 't'",
        "several topics ('a, b')",
        "groupByKey().latest(name)");
    assertRefused(
        topology -> topology.broadcastTable("t", keyed(Kafka.sourcesUnder("a-"))),
        "several topics ('a-*')");
    assertRefused(
        topology -> topology.from(Kafka.source("in").bytes()).to(Kafka.sinksUnder("out-").bytes()),
        "to(sink) takes one topic",
        "'out-*'",
        "to(route, topics)");
    assertRefused(
        topology -> topology.from(Kafka.sources("a", "b", "a").bytes()), "each of another topic");
    assertRefused(topology -> topology.from(Kafka.sources().bytes()), "one or more names");
  }

  /// Sends each value to the topic that its first word names.
  private static StreamApplication routing(UnaryOperator<Kafka.UntypedSink> described) {
    return new Named(topology -> {
      var in = topology.from(Kafka.source("in").key(Serdes.string()).value(Serdes.string()));
      in.to(
          value -> value.split(" ", -1)[0],
          described.apply(Kafka.sinksUnder("orders-")).key(Serdes.string()).value(Serdes.string()));
      in.map(value -> "plain-" + value.charAt(7) + "!" + value)
          .to(
              value -> value.substring(0, value.indexOf('!')),
              Kafka.sinks(Pattern.compile("plain-[acf]")).partitions(2).value(Serdes.string()));
    });
  }

  private static void sendRouted(TestJob job) {
    var in = job.input("in");
    for (int i = 0; i < RECORDS; i++) {
      in.at(START.plusSeconds(i)).send(key(i), topic(i) + " " + i);
    }
    in.end();
  }

  private static void checkRouted(TestJob job) {
    for (String topic : TOPICS) {
      List<String> expected = new ArrayList<>();
      List<String> plain = new ArrayList<>();
      for (int i = 0; i < RECORDS; i++) {
        if (topic(i).equals(topic)) {
          expected.add(key(i) + "=" + topic + " " + i);
          plain.add("plain-" + topic.charAt(7) + "!" + topic + " " + i);
        }
      }
      assertTrue(expected.size() > 5);
      assertEquals(expected.stream().sorted().toList(), lines(job, topic));
      assertEquals(plain.stream().sorted().toList(), values(job, "plain-" + topic.charAt(7)));
    }
  }

  @Test
  void topicsAreMadeWhenRecordsFirstChooseThem() {
    Harsh.of(routing(topics -> topics.partitions(2)), SeveralTopicsTest::sendRouted)
        .then(SeveralTopicsTest::checkRouted)
        .check();
  }

  @Test
  void whatIsSaidOfWrittenRecordsIsSaidOfEachTopic() {
    for (Kafka.UntypedSink topics :
        List.of(Kafka.sinks("out-a", "out-b"), Kafka.sinksUnder("out-").partitions(1))) {
      StreamApplication application =
          new Named(topology ->
              topology
                  .from(Kafka.source("in").value(Serdes.string()))
                  .to(
                      value -> "out-" + value.charAt(0),
                      topics
                          .key(Serdes.string())
                          .value(Serdes.string())
                          .timestamp(value -> START.plusSeconds(value.length()))
                          .headers(
                              (record, headers) -> headers.add("of", record.key().getBytes(UTF_8)))
                          .key(value -> value.substring(2))));
      try (TestJob job = TestJob.of(application).partitions(1)) {
        job.input("in").at(START).send("a one").send("b three");
        for (String text : List.of("a one", "b three")) {
          var record = job.output("out-" + text.charAt(0)).records().getFirst();
          assertEquals(text.substring(2), record.key());
          assertEquals(START.plusSeconds(text.length()), record.timestamp());
          assertEquals(text.substring(2), record.header("of"));
        }
      }
    }
  }

  private static void assertBad(String value, String... parts) {
    try (TestJob job = TestJob.of(routing(topics -> topics)).partitions(1).onError(OnError.FAIL)) {
      job.output("orders-a");
      job.output("plain-a");
      job.input("in").send("k", "orders-a 1").send("k", value);
      String failure = job.failure();
      assertTrue(failure.contains("in:0:1"), failure);
      for (String part : parts) {
        assertTrue(failure.contains(part), failure);
      }
    }
  }

  @Test
  void aTopicThatCannotBeWrittenToIsBadInputWithItsName() {
    assertBad("order-aaaa 2", "topic 'order-aaaa'", "not one of", "orders-*");
    assertBad("orders-* 2", "topic 'orders-*'", "1 to 249 letters");
    assertBad("orders-ä 2", "topic 'orders-ä'", "1 to 249 letters");
    assertBad("orders-" + "a".repeat(250) + " 2", "1 to 249 letters");
    assertBad(
        "orders-b 2", "topic 'orders-b'", "does not exist", "millrace topics create orders-b");
  }

  @Test
  void theApplicationsOwnTopicsAreChosenByNobody() {
    StreamApplication application =
        new Named(topology ->
            topology
                .from(Kafka.source("in").value(Serdes.string()))
                .to(
                    value -> value,
                    Kafka.sinksUnder("several").partitions(1).value(Serdes.string())));
    for (String own : List.of("several-changelog", "several-versions", "several-placement")) {
      try (TestJob job = TestJob.of(application).partitions(1).onError(OnError.FAIL)) {
        job.input("in").send(own);
        String failure = job.failure();
        assertTrue(failure.contains("topic '" + own + "', which cannot be written to"), failure);
      }
    }
  }

  @Test
  void whatIsMissingIsPassedOverAndTheOthersArrive() {
    try (TestJob job =
        TestJob.of(routing(topics -> topics)).partitions(1).onError(OnError.DEAD_LETTER)) {
      job.output("orders-a");
      job.input("in").send("k", "orders-a 1").send("k", "orders-b 2").send("k", "orders-a 3");
      job.output("orders-a").hasValues("orders-a 1", "orders-a 3");
      assertEquals(1, job.deadLetters().size());
    }
  }

  @Test
  void aTopicThatIsNotAsDescribedIsNotWrittenTo() {
    StreamApplication application = routing(topics -> topics.setting("retention.ms", "1234567"));
    try (TestJob job = TestJob.of(application).partitions(1).onError(OnError.FAIL)) {
      job.output("orders-a");
      job.input("in").send("k", "orders-a 1");
      job.process();
      job.output("orders-a").hasValues("orders-a 1");
    }
    StreamApplication other =
        new Named(topology -> {
          var in = topology.from(Kafka.source("in").value(Serdes.string()));
          in.to(Kafka.sink("out-a").value(Serdes.string()));
          in.to(
              value -> "out-" + value, Kafka.sinksUnder("out-").compacted().value(Serdes.string()));
        });
    try (TestJob job = TestJob.of(other).partitions(1).onError(OnError.FAIL)) {
      job.input("in").send("a");
      String failure = job.failure();
      assertTrue(failure.contains("'out-a'"), failure);
      assertTrue(failure.contains("cleanup.policy=delete, but must have compact"), failure);
    }
  }

  @Test
  void listsOfNamesAreRoutesToo() {
    StreamApplication application =
        new Named(topology ->
            topology
                .from(Kafka.source("in").value(Serdes.string()))
                .to(value -> "out-" + value, Kafka.sinks("out-a", "out-b").value(Serdes.string())));
    try (TestJob job = TestJob.of(application).partitions(1)) {
      job.input("in").send("a").send("b").send("a");
      job.output("out-a").hasValues("a", "a");
      job.output("out-b").hasValues("b");
    }
  }
}
