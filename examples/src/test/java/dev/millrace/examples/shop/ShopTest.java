package dev.millrace.examples.shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.KafkaKeyedSource;
import dev.millrace.api.serde.Serdes;
import dev.millrace.spi.settings.OnError;
import dev.millrace.testkit.Seed;
import dev.millrace.testkit.job.TestJob;
import dev.millrace.testkit.job.TestRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Six hours of the shop in virtual time, stopped and killed on the way.
class ShopTest {
  private static final Instant START = Instant.parse("2026-01-01T08:00:00Z");
  private static final Duration TIME = Duration.ofHours(6);
  private static final Duration BETWEEN_ORDERS = Duration.ofSeconds(40);

  /// Topics in which a row may be there again, with the same value.
  private static final Set<String> ONLY_THE_LAST_COUNTS =
      Set.of("revenue", "category-revenue", "packing-list");

  private final List<ShopRow> inputs = new ArrayList<>();
  private final Map<String, Long> ends = new HashMap<>();

  /// What a run has written.
  private record Written(Map<String, List<ShopRow>> outputs, List<String> letters) {
    /// The same with other rows in a topic.
    Written with(String topic, List<ShopRow> rows) {
      Map<String, List<ShopRow>> others = new HashMap<>(outputs);
      others.put(topic, rows);
      return new Written(others, letters);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void everyRowIsWhatAPlainComputationSays(long seed) {
    ShopCheck.Result result = check(run(seed));
    assertEquals(List.of(), result.differences(), result::toString);
    // Otherwise it would say little.
    assertTrue(result.corrections() > 5, result::toString);
    for (String what : List.of("bad", "late-orders", "paid", "unpaid")) {
      assertTrue(result.seen().get(what) > 0, () -> "It had nothing " + what + ": " + result);
    }
  }

  @Test
  void aRowThatIsMissingOrWrongOrThereTwiceIsFound() {
    Written right = run(1);
    assertEquals(List.of(), check(right).differences());
    for (String topic : ShopCheck.OUTPUTS) {
      List<ShopRow> rows = right.outputs().get(topic);
      // What counts of a window is its last row; the last one of a partition is one of those.
      int last = rows.size() - 1;
      while (rows.get(last).closes() || rows.get(last).value() == null) {
        last--;
      }
      ShopRow row = rows.get(last);
      List<ShopRow> missing = new ArrayList<>(rows);
      missing.remove(last);
      assertFalse(check(right.with(topic, missing)).differences().isEmpty(), topic + " lacks one");
      List<ShopRow> wrong = new ArrayList<>(rows);
      wrong.set(last, row.withValue(withAnotherDigit(row.value())));
      assertFalse(check(right.with(topic, wrong)).differences().isEmpty(), topic + " is wrong");
      if (!ONLY_THE_LAST_COUNTS.contains(topic)) {
        List<ShopRow> twice = new ArrayList<>(rows);
        twice.add(last, row);
        assertFalse(check(right.with(topic, twice)).differences().isEmpty(), topic + " twice");
      }
    }
    Written fewer =
        new Written(right.outputs(), right.letters().subList(1, right.letters().size()));
    assertFalse(check(fewer).differences().isEmpty());
  }

  private static String withAnotherDigit(String text) {
    return Pattern.compile("[1-9]")
        .matcher(text)
        .replaceFirst(digit -> String.valueOf(Integer.parseInt(digit.group()) % 9 + 1));
  }

  private ShopCheck.Result check(Written written) {
    return ShopCheck.compare(inputs, written.outputs(), written.letters());
  }

  private Written run(long seed) {
    Seed drawn = new Seed(seed);
    Traffic traffic = new Traffic(seed, "o", START, BETWEEN_ORDERS);
    try (TestJob job =
        TestJob.of(new Shop())
            .seed(seed)
            .partitions(ShopTopics.PARTITIONS)
            .containers(1 + drawn.below(2))
            .startingAt(START)
            .onError(OnError.DEAD_LETTER)) {
      Instant end = START.plus(TIME);
      Traffic.Sent sent = traffic.next();
      while (sent.arrives().isBefore(end)) {
        send(job, sent);
        if (drawn.below(20) == 0) {
          goOn(job, drawn);
        }
        sent = traffic.next();
      }
      ClosingTraffic.at(end.plus(TIME.multipliedBy(2))).forEach(each -> send(job, each));
      return new Written(outputs(job), letters(job));
    }
  }

  private void send(TestJob job, Traffic.Sent sent) {
    int partition = ClosingTraffic.partition(sent.key());
    long offset = ends.merge(sent.topic() + partition, 1L, Long::sum) - 1;
    inputs.add(
        new ShopRow(sent.topic(), partition, offset, sent.key(), sent.value(), sent.at(), false));
    var input = job.input(textSource(sent.topic())).at(sent.at());
    if (sent.value() == null) {
      input.delete(sent.key());
    } else {
      input.send(sent.key(), sent.value());
    }
  }

  /// Values are sent and read as the texts they are, so that the shop's own serdes prove nothing.
  private static KafkaKeyedSource<String, String> textSource(String topic) {
    return Kafka.source(topic).key(Serdes.string()).value(Serdes.string());
  }

  private static KafkaKeyedSink<String, String> textSink(String topic) {
    return Kafka.sink(topic).key(Serdes.string()).value(Serdes.string());
  }

  private static void goOn(TestJob job, Seed drawn) {
    switch (drawn.below(6)) {
      case 0 -> job.restart();
      case 1 -> job.crash();
      case 2 -> job.crashLosingDisks();
      default -> job.process();
    }
  }

  private static Map<String, List<ShopRow>> outputs(TestJob job) {
    Map<String, List<ShopRow>> outputs = new HashMap<>();
    for (String topic : ShopCheck.OUTPUTS) {
      outputs.put(
          topic,
          topic.equals("best-sellers")
              ? job.output(Kafka.sink(topic).value(Serdes.string())).records().stream()
                  .map(record -> row(record, null))
                  .toList()
              : job.output(textSink(topic)).records().stream()
                  .map(record -> row(record, record.key()))
                  .toList());
    }
    return outputs;
  }

  private static ShopRow row(TestRecord<?, String> record, String key) {
    return new ShopRow(
        record.topic(),
        record.partition(),
        record.offset(),
        key,
        record.value(),
        record.timestamp(),
        record.retraction());
  }

  private static List<String> letters(TestJob job) {
    return job.deadLetters().stream()
        .map(letter ->
            letter.header("millrace.topic")
                + "-"
                + letter.header("millrace.partition")
                + "@"
                + letter.header("millrace.offset"))
        .toList();
  }
}
