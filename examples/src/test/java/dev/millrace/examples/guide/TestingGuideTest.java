package dev.millrace.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.millrace.api.Kafka;
import dev.millrace.api.Output;
import dev.millrace.api.Processor;
import dev.millrace.api.Records;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.serde.Serdes;
import dev.millrace.examples.guide.TimeGuide.Seen;
import dev.millrace.examples.guide.TimeGuide.View;
import dev.millrace.testkit.job.Harsh;
import dev.millrace.testkit.job.MillraceExtension;
import dev.millrace.testkit.job.MillraceTest;
import dev.millrace.testkit.job.On;
import dev.millrace.testkit.job.TestJob;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What the guide to tests shows.
class TestingGuideTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  @Test
  void wordsAreCounted() {
    try (TestJob job = TestJob.of(new WordCount())) {
      job.input("lines").send("the mill and the race");
      job.output("word-counts").hasLatest("the", 2L).hasLatest("race", 1L).hasNo("wheel");
    }
  }

  @Test
  void wordsAreCountedOnKafka() {
    try (TestJob job = TestJob.onKafka(new WordCount())) {
      job.input("lines").send("the mill and the race");
      job.output("word-counts").hasLatest("the", 2L).hasLatest("race", 1L).hasNo("wheel");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCrashIsNotSeen(On on) {
    try (TestJob job = TestJob.on(on, new WordCount())) {
      job.input("lines").send("the mill");
      job.crash();
      job.input("lines").send("the race");
      job.restart();
      job.input("lines").send("the end");
      job.crashLosingDisks();
      job.output("word-counts").hasValuesOf("the", 1L, 2L, 3L);
    }
  }

  @Test
  void aMinuteIsCountedWhenItIsOverAndAgainWhenSomethingComesLate() {
    try (TestJob job = TestJob.of(new TimeGuide())) {
      var views = job.input("views");
      views.send(new View("ann", "/", 20, 60, NOON));
      views.send(new View("bob", "/", 10, 60, NOON.plusSeconds(30)));
      views.sendToEveryPartition(new View("eve", "/mill", 10, 60, NOON.plusSeconds(65)));
      job.output("views-per-minute").hasLatest("/", new Seen(NOON, NOON.plusSeconds(60), "/", 2));

      views.send(new View("ann", "/", 20, 60, NOON.plusSeconds(40)));
      job.output("views-per-minute").hasLatest("/", new Seen(NOON, NOON.plusSeconds(60), "/", 3));
    }
  }

  @Test
  void theVisitsOfAllUsersEndWithTheInput() {
    try (TestJob job = TestJob.of(new TimeGuide())) {
      var views = job.input("views");
      views.send(new View("ann", "/", 20, 60, NOON));
      views.send(new View("ann", "/mill", 10, 60, NOON.plusSeconds(30)));
      views.send(new View("bob", "/", 10, 60, NOON.plusSeconds(30)));
      views.end();
      job.output("visits").hasLatest("ann", 2L).hasLatest("bob", 1L);
    }
  }

  @Test
  void timersFireWhenTimeHasGoneBy() {
    try (TestJob job = TestJob.of(new TimeGuide())) {
      job.input("views").send(new View("ann", "/", 20, 60, NOON));
      job.advance(Duration.ofMinutes(9));
      job.output("silent").isEmpty();

      job.advance(Duration.ofMinutes(1));
      job.output("silent").hasValuesOf("ann", "ann");
    }
  }

  @Test
  void nothingDependsOnWhatMustNotMatter() {
    Harsh.of(
            new WordCount(),
            job -> job.input("lines").send("the mill").send("and the race").send("of the mill"))
        .then(job -> job.output("word-counts").hasLatest("the", 3L))
        .check();
  }

  /// Lets the first record of each key through, and has a mistake.
  static final class Firsts implements StreamApplication {
    @Override
    public void describe(Topology topology) {
      topology
          .from(Kafka.source("visits").key(Serdes.string()).value(Serdes.string()))
          .process("firsts", First::new)
          .to(Kafka.sink("first-visits").key(Serdes.string()).value(Serdes.string()));
    }
  }

  private static final class First implements Processor<String, String, String> {
    private final Set<String> seen = new HashSet<>();

    @Override
    public void process(Records<String, String> records, Output<String> out) {
      while (records.next()) {
        if (seen.add(records.key())) {
          out.emit(records.value());
        }
      }
    }
  }

  @Test
  void aMistakeIsFound() {
    Harsh harsh =
        Harsh.of(
            new Firsts(),
            job -> {
              for (int day = 1; day <= 3; day++) {
                job.input("visits").send("ann", "day " + day);
              }
            });
    AssertionError found = assertThrows(AssertionError.class, harsh::check);
    assertEquals(
        """
        'firsts' has other results when it reads 1 at a time and is restarted after each step, under seed 1:
          Topic 'first-visits' has too much:
            ann = day 2
            ann = day 3
        What a processor keeps outside its stores is lost then, and side effects of functions are repeated.\
        """,
        found.getMessage());
  }

  @Nested
  @MillraceTest(WordCount.class)
  class WordCountTest {
    @Test
    void wordsAreCounted(TestJob job) {
      job.input("lines").send("the mill and the race");
      job.output("word-counts").hasLatest("the", 2L);
    }
  }

  @Nested
  class WithAField {
    @RegisterExtension
    static final MillraceExtension MILLRACE =
        MillraceExtension.of(() -> TestJob.of(new WordCount()).partitions(1));

    @Test
    void wordsAreCounted(TestJob job) {
      job.input("lines").send("the mill and the race");
      job.output("word-counts").hasValues(1L, 1L, 1L, 1L, 2L);
    }
  }
}
