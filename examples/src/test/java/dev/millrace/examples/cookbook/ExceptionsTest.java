package dev.millrace.examples.cookbook;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.examples.cookbook.Exceptions.LogLine;
import dev.millrace.examples.cookbook.Exceptions.Thrown;
import dev.millrace.testkit.job.Harsh;
import dev.millrace.testkit.job.TestJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExceptionsTest {
  private static final List<String> TOPICS = List.of("web-logs", "batch-logs", "mail-logs");
  private static final List<String> SERVICES = List.of("feed", "ads", "profile", "search");

  /// Texts, and what is thrown in them: nothing, or a type and a message.
  private static final Map<String, List<String>> TEXTS =
      Map.of(
          "java.io.IOException: disk is full",
          List.of("java.io.IOException", "disk is full"),
          "call failed with java.lang.OutOfMemoryError",
          List.of("java.lang.OutOfMemoryError", ""),
          "no Exception here: all is well",
          List.of(),
          "request 7 took 30 ms",
          List.of());

  private record Drawing(String topic, LogLine line) {}

  /// Some lines come twice, the second time in the place of another one.
  private static List<Drawing> lines(Drawn drawn, int count) {
    List<String> texts = TEXTS.keySet().stream().sorted().toList();
    List<Drawing> lines = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      if (i > 0 && drawn.below(5) == 0) {
        lines.add(lines.get(Math.max(0, i - 1 - drawn.below(10))));
      } else {
        String level = drawn.below(3) == 0 ? "WARN" : "ERROR";
        lines.add(
            new Drawing(
                drawn.oneOf(TOPICS),
                new LogLine(
                    "line" + i, drawn.oneOf(SERVICES), level, drawn.oneOf(texts), drawn.time(3))));
      }
    }
    return lines;
  }

  private static List<Thrown> thrown(List<Drawing> lines) {
    return lines.stream()
        .map(Drawing::line)
        .filter(line -> line.level().equals("ERROR") && !TEXTS.get(line.text()).isEmpty())
        .map(line ->
            new Thrown(
                line.id(),
                line.service(),
                TEXTS.get(line.text()).get(0),
                TEXTS.get(line.text()).get(1),
                line.at()))
        .sorted(Comparator.comparing(Thrown::id))
        .toList();
  }

  private static List<Thrown> sorted(List<Object> values) {
    return values.stream()
        .map(Thrown.class::cast)
        .sorted(Comparator.comparing(Thrown::id))
        .toList();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void allExceptionsAreFoundAndUnderTheirServicesEachOnce(long seed) {
    Drawn drawn = new Drawn(seed, 60);
    List<Drawing> lines = lines(drawn, 120);
    try (TestJob job = TestJob.of(new Exceptions(TOPICS)).seed(seed)) {
      for (int i = 0; i < lines.size(); i++) {
        job.input(lines.get(i).topic()).send(lines.get(i).line());
        if (i % 12 == 11) {
          drawn.goOn(job);
        }
      }
      Instant end = drawn.now().plusSeconds(60);
      for (String topic : TOPICS) {
        job.input(topic).sendToEveryPartition(new LogLine("end", "end", "WARN", "", end));
      }
      List<Thrown> all = thrown(lines);
      assertTrue(all.size() > 20, all.toString());
      assertEquals(all, sorted(job.output("all-exceptions").values()));
      List<Thrown> once = all.stream().distinct().toList();
      assertTrue(once.size() < all.size(), "nothing came twice");
      assertEquals(once, sorted(job.output("exceptions").values()));
      Map<Object, Object> services = new TreeMap<>();
      job.output("exceptions")
          .records()
          .forEach(record -> services.put(((Thrown) record.value()).service(), record.key()));
      services.forEach((service, key) -> assertEquals(service, key));
    }
  }

  @Test
  void nothingElseMatters() {
    List<Drawing> lines = lines(new Drawn(5, 60), 20);
    Harsh.of(
            new Exceptions(TOPICS),
            job -> {
              lines.forEach(each -> job.input(each.topic()).send(each.line()));
              TOPICS.forEach(topic -> job.input(topic).end());
            })
        .then(job ->
            assertEquals(
                thrown(lines).stream().distinct().toList(),
                sorted(job.output("exceptions").values())))
        .check();
  }
}
