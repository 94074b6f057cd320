package dev.millrace;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.api.Kafka;
import dev.millrace.api.KafkaKeyedSink;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.Windows;
import dev.millrace.api.serde.Serdes;
import dev.millrace.config.JobConfig;
import dev.millrace.config.PlacementConfig;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.settings.ChangeConfig;
import dev.millrace.spi.settings.StateConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An application on Kafka whose operators are added, removed and put back while it has state, with
/// its local state and without.
class ChangesOnKafkaTest {
  private static final int SEEDS = 2;
  private static final int CHANGES = 7;
  private static final int OPERATORS = 5;

  @TempDir Path directory;

  /// Counts words by the letter at a place, for each of its operators: the even ones in one stage,
  /// behind one exchange, the odd ones behind an exchange of their own.
  private record Counting(String name, List<Integer> operators) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      var words =
          topology.from(Kafka.source(name + "-in").value(Serdes.string()).startAtEarliest());
      var together = words.groupBy("by-0", word -> letter(word, 0));
      for (int operator : operators) {
        var grouped =
            operator % 2 == 0
                ? together
                : words.groupBy("by-" + operator, word -> letter(word, operator));
        grouped
            .count("count-" + operator)
            .toStream()
            .mapValues(count -> operator + "=" + count)
            .to(
                Kafka.sink(name + "-out")
                    .partitions(1)
                    .key(Serdes.string())
                    .value(Serdes.string()));
      }
    }
  }

  private static String letter(String word, int place) {
    return word.substring(place, place + 1);
  }

  /// The letter by which an operator counts.
  private static String key(String word, int operator) {
    return letter(word, operator % 2 == 0 ? 0 : operator);
  }

  private JobConfig config(String state, int workers) {
    return JobConfig.of(bootstrapServers())
        .withPlacement(PlacementConfig.defaults().withWorkers(workers))
        .withState(StateConfig.in(directory.resolve(state)))
        .withChange(new ChangeConfig(ChangeConfig.AUTO));
  }

  private static List<Integer> draw(Random random) {
    List<Integer> operators = new ArrayList<>();
    for (int operator = 0; operator < OPERATORS; operator++) {
      if (random.nextBoolean()) {
        operators.add(random.nextInt(operators.size() + 1), operator);
      }
    }
    return operators.isEmpty() ? List.of(0) : operators;
  }

  private static String[] words(Random random) {
    return random
        .ints(20, 0, 81)
        .mapToObj(word -> {
          StringBuilder letters = new StringBuilder();
          for (int place = 0; place < OPERATORS; place++) {
            letters.append((char) ('a' + random.nextInt(3)));
          }
          return letters.toString();
        })
        .toArray(String[]::new);
  }

  /// Each operator counts the words that came while it was there, and nothing twice.
  @Test
  void operatorsThatComeAndGoCountWhatCameWhileTheyWereThere() {
    for (int seed = 1; seed <= SEEDS; seed++) {
      Random random = new Random(seed);
      String name = uniqueName("changing");
      SharedTopics.create(name + "-in", 1);
      Map<String, Integer> counts = new TreeMap<>();
      List<String> expected = new ArrayList<>();
      for (int change = 0; change < CHANGES; change++) {
        List<Integer> operators = draw(random);
        String state = random.nextBoolean() ? "state-" + seed : "elsewhere-" + seed + "-" + change;
        String[] words = words(random);
        for (String word : words) {
          for (int operator : operators) {
            String counted = key(word, operator) + " " + operator;
            expected.add(counted + "=" + counts.merge(counted, 1, Integer::sum));
          }
        }
        try (Job job =
            Millrace.start(new Counting(name, operators), config(state, 1 + random.nextInt(2)))) {
          SharedTopics.write(name + "-in", words);
          List<String> found =
              SharedTopics.read(name + "-out", expected.size()).stream()
                  .map(record -> record.key() + " " + record.value())
                  .sorted()
                  .toList();
          assertEquals(
              expected.stream().sorted().toList(), found, "seed " + seed + ", change " + change);
          assertNull(job.failure());
        }
      }
    }
  }

  private JobConfig process(int number) {
    return config("process-" + number, 1);
  }

  private static final String[] WORDS = {"aba", "bab", "aab"};

  /// Returns how many words each operator has counted, once the operators have counted as many as
  /// they must; checks that each count of a letter follows the one before.
  ///
  /// @param least by operator
  private static Map<Integer, Integer> counted(String name, Map<Integer, Integer> least) {
    for (int read = 1; ; read++) {
      Map<String, Integer> counts = new TreeMap<>();
      Map<Integer, Integer> words = new TreeMap<>();
      for (ConsumerRecord<String, String> each : SharedTopics.read(name + "-out", read)) {
        String[] value = each.value().split("=");
        String counter = value[0] + " " + each.key();
        assertEquals(counts.merge(counter, 1, Integer::sum), Integer.parseInt(value[1]), counter);
        words.merge(Integer.valueOf(value[0]), 1, Integer::sum);
      }
      if (least.entrySet().stream()
          .allMatch(each -> words.getOrDefault(each.getKey(), 0) >= each.getValue())) {
        return words;
      }
      read = Math.max(read, words.values().stream().mapToInt(each -> each).sum());
    }
  }

  /// While one process has the new program and the other the old one, each runs the operators that
  /// it knows, and those of both go on wherever they are.
  @Test
  void oneProcessAfterTheOtherGetsTheNewProgram() {
    String name = uniqueName("rolling");
    SharedTopics.create(name + "-in", 1);
    Counting old = new Counting(name, List.of(0, 1));
    Counting changed = new Counting(name, List.of(2, 0));
    int words = WORDS.length;
    Job first = Millrace.start(old, process(0));
    Job second = Millrace.start(old, process(1));
    try {
      SharedTopics.write(name + "-in", WORDS);
      counted(name, Map.of(0, words, 1, words));
      second.close();
      second = Millrace.start(changed, process(1));
      SharedTopics.write(name + "-in", WORDS);
      counted(name, Map.of(0, 2 * words));
      first.close();
      first = Millrace.start(changed, process(0));
      SharedTopics.write(name + "-in", WORDS);
      Map<Integer, Integer> counted = counted(name, Map.of(0, 3 * words, 2, words));
      assertEquals(3 * words, counted.get(0));
      assertTrue(counted.get(1) <= 2 * words, counted::toString);
      assertTrue(counted.get(2) <= 2 * words, counted::toString);
      assertNull(first.failure());
      assertNull(second.failure());
    } finally {
      first.close();
      second.close();
    }
  }

  /// Counts words in windows of ten seconds, whose counts are made before they are sent, and all of
  /// them if that is said. A word is `SECOND LETTER`.
  private record InWindows(String name, boolean all) implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      var words =
          topology
              .from(
                  Kafka.source(name + "-in")
                      .value(Serdes.string())
                      .eventTime(word -> Instant.ofEpochSecond(Long.parseLong(word.split(" ")[0])))
                      .startAtEarliest())
              .groupBy("by-letter", word -> word.split(" ")[1]);
      words
          .window(Windows.tumbling(Duration.ofSeconds(10)).allowedLateness(Duration.ZERO))
          .count("windows")
          .results(result -> result.window().start().getEpochSecond() + "=" + result.value())
          .to(sink(name + "-windows"));
      if (all) {
        words
            .count("all")
            .toStream()
            .mapValues(count -> Long.toString(count))
            .to(sink(name + "-all"));
      }
    }

    private static KafkaKeyedSink<String, String> sink(String topic) {
      return Kafka.sink(topic).partitions(1).key(Serdes.string()).value(Serdes.string());
    }
  }

  private static List<String> read(String topic, int count) {
    return SharedTopics.read(topic, count).stream()
        .map(record -> record.key() + " " + record.value())
        .sorted()
        .toList();
  }

  @Test
  void anOperatorIsAddedBesideAggregatesThatAreMadeBeforeTheyAreSent() {
    String name = uniqueName("aggregated");
    SharedTopics.create(name + "-in", 1);
    try (Job job = Millrace.start(new InWindows(name, false), config("aggregated", 1))) {
      SharedTopics.write(name + "-in", "1 a", "2 a", "3 b", "11 b");
      assertEquals(List.of("a 0=2", "b 0=1"), read(name + "-windows", 2));
      assertNull(job.failure());
    }
    try (Job job = Millrace.start(new InWindows(name, true), config("aggregated", 1))) {
      SharedTopics.write(name + "-in", "12 a", "13 b", "21 a");
      assertEquals(List.of("a 1", "a 2", "b 1"), read(name + "-all", 3));
      assertEquals(List.of("a 0=2", "a 10=1", "b 0=1", "b 10=2"), read(name + "-windows", 4));
      assertNull(job.failure());
    }
    try (Job job = Millrace.start(new InWindows(name, false), config("elsewhere", 1))) {
      SharedTopics.write(name + "-in", "31 a");
      assertEquals(
          List.of("a 0=2", "a 10=1", "a 20=1", "b 0=1", "b 10=2"), read(name + "-windows", 5));
      assertNull(job.failure());
    }
  }
}
