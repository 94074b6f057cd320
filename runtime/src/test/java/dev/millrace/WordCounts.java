package dev.millrace;

import static dev.millrace.json.Json.json;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.kafka.embedded.SharedTopics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// Writes how often each word has come, whenever one comes.
///
/// @param keys how many words there are
/// @param bounded whether it ends at the end of its input
/// @param byLength whether it also counts them by their lengths, which takes a stage more
record WordCounts(String name, int keys, boolean bounded, boolean byLength)
    implements StreamApplication {
  private static final int EACH = 5;

  /// One whose input does not end.
  static WordCounts of(String name, int keys) {
    return new WordCounts(name, keys, false, false);
  }

  String in() {
    return name + "-in";
  }

  String out() {
    return name + "-out";
  }

  @Override
  public void describe(Topology topology) {
    var source = Kafka.source(in()).value(Serdes.string()).startAtEarliest();
    var words = topology.from(bounded ? source.asBounded() : source);
    if (byLength) {
      words
          .groupBy("lengths", word -> Integer.toString(word.length()))
          .aggregate("by-length", () -> 0L, (count, _) -> count + 1)
          .to(Kafka.sink(name + "-lengths").partitions(1).value(json(Long.class)));
    }
    words
        .groupBy("words", word -> word)
        .aggregate("counts", () -> 0L, (count, _) -> count + 1)
        .to(Kafka.sink(out()).partitions(1).key(Serdes.string()).value(json(Long.class)));
  }

  /// Writes each word five times: a round.
  void write() {
    SharedTopics.write(
        in(),
        IntStream.range(0, keys * EACH).mapToObj(i -> "word-" + i % keys).toArray(String[]::new));
  }

  /// Each word has been counted from 1 on, once each.
  void assertCounted(int rounds) {
    Map<String, List<String>> counts = new TreeMap<>();
    SharedTopics.read(out(), keys * EACH * rounds)
        .forEach(row -> counts.computeIfAbsent(row.key(), _ -> new ArrayList<>()).add(row.value()));
    assertEquals(keys, counts.size());
    List<String> expected =
        IntStream.rangeClosed(1, EACH * rounds).mapToObj(Integer::toString).toList();
    counts.forEach((word, of) -> assertEquals(expected, of, word));
  }
}
