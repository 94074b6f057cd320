package dev.millrace.cli;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.ExitCode;
import dev.millrace.Job;
import dev.millrace.JobState;
import dev.millrace.Millrace;
import dev.millrace.api.Kafka;
import dev.millrace.api.StreamApplication;
import dev.millrace.api.Topology;
import dev.millrace.api.Windows;
import dev.millrace.api.serde.Serdes;
import dev.millrace.config.JobConfig;
import dev.millrace.kafka.embedded.Patience;
import dev.millrace.kafka.embedded.SharedTopics;
import dev.millrace.spi.settings.ChangeConfig;
import dev.millrace.spi.settings.StateConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// What becomes of the state of an application under another program, by the command.
class PlanDiffTest {
  private static final String NAME = uniqueName("differing");

  @TempDir private Path directory;

  abstract static class Counting implements StreamApplication {
    @Override
    public String name() {
      return NAME;
    }

    @Override
    public void describe(Topology topology) {
      var words =
          topology
              .from(Kafka.source(NAME + "-in").value(Serdes.string()).startAtEarliest())
              .groupBy("by-word", word -> word);
      if (counts()) {
        words
            .count("counts")
            .toStream()
            .mapValues(count -> Long.toString(count))
            .to(
                Kafka.sink(NAME + "-out")
                    .partitions(1)
                    .key(Serdes.string())
                    .value(Serdes.string()));
      }
      words
          .window(Windows.tumbling(size()))
          .count("per-window")
          .results(result -> result.value())
          .to(
              Kafka.sink(NAME + "-windows")
                  .partitions(1)
                  .key(Serdes.string())
                  .value(Serdes.longs()));
      if (counts() && more()) {
        words.latest("latest");
      }
    }

    boolean counts() {
      return true;
    }

    boolean more() {
      return false;
    }

    Duration size() {
      return Duration.ofMinutes(1);
    }
  }

  static final class First extends Counting {}

  static final class More extends Counting {
    @Override
    boolean more() {
      return true;
    }
  }

  static final class Fewer extends Counting {
    @Override
    boolean counts() {
      return false;
    }
  }

  static final class Resized extends Counting {
    @Override
    Duration size() {
      return Duration.ofMinutes(2);
    }
  }

  private static Command diff(Class<?> type, String... more) {
    List<String> arguments =
        new ArrayList<>(
            List.of("plan", "--diff", "--bootstrap", bootstrapServers(), type.getName()));
    arguments.addAll(List.of(more));
    return Command.run(arguments.toArray(String[]::new));
  }

  private static void assertSays(int exitCode, Command command, String... parts) {
    assertEquals(exitCode, command.status(), command.out());
    for (String part : parts) {
      assertTrue(command.out().contains(part), "No '" + part + "' in " + command.out());
    }
  }

  @Test
  void aPlanIsComparedWithTheRecordedOneAndAcceptedByItsId() throws Exception {
    Command unknown = diff(First.class);
    assertEquals(ExitCode.USAGE, unknown.status());
    assertTrue(unknown.out().contains("No plan of application '" + NAME + "' is recorded"));

    SharedTopics.create(NAME + "-in", 1);
    SharedTopics.write(NAME + "-in", "one", "two", "one");
    JobConfig config =
        JobConfig.of(bootstrapServers())
            .withState(
                StateConfig.in(directory.resolve("state"))
                    .withFlushInterval(Duration.ofSeconds(1)));
    try (Job job = Millrace.start(new First(), config)) {
      SharedTopics.read(NAME + "-out", 3);
      Thread.sleep(Duration.ofSeconds(25)); // the bytes of stores are measured every 20 s
      assertNull(job.failure());
    }
    assertSays(ExitCode.DONE, diff(First.class, "--check"), "nothing changes");
    Command more = diff(More.class);
    assertSays(
        ExitCode.DONE,
        more,
        "has to be accepted",
        "=   26 B     0 B  count 'counts' (store 'counts') is kept",
        "+    0 B     0 B  latest 'latest' (store 'latest') is new",
        "begins with empty state",
        "The change writes 0 B of state.",
        "Rollback in place: yes.");
    assertSays(ExitCode.USAGE, diff(More.class, "--check"), "has to be accepted");
    assertJson(diff(More.class, "--json"));
    assertSays(
        ExitCode.DONE,
        diff(Fewer.class),
        "  count 'counts' (store 'counts') is gone",
        "keeps its state and positions",
        "yes, losing the records that count 'counts' (store 'counts') misses until then");
    assertSays(
        ExitCode.USAGE, diff(Resized.class, "--check"), "-  count 'per-window'", "size was 1m");

    Matcher id = Pattern.compile("--change\\.accept=([0-9a-f]{8})").matcher(more.out());
    assertTrue(id.find());
    SharedTopics.write(NAME + "-in", "one");
    try (Job job =
        Millrace.start(new More(), config.withChange(config.change().withAccept(id.group(1))))) {
      assertEquals("3", SharedTopics.read(NAME + "-out", 4).getLast().value());
      assertNull(job.failure());
    }
    assertSays(ExitCode.DONE, diff(More.class, "--check"), "nothing changes");

    removedStateIsGone(config.withChange(new ChangeConfig(ChangeConfig.AUTO)));
  }

  private static void assertJson(Command command) {
    assertEquals(ExitCode.DONE, command.status(), command.out());
    JsonMapper mapper = JsonMapper.builder().build();
    ObjectNode found = (ObjectNode) mapper.readTree(command.out());
    assertTrue(found.remove("id").stringValue().matches("[0-9a-f]{8}"));
    ObjectNode windows = (ObjectNode) found.path("kept").path(1);
    assertTrue(windows.remove("stateBytes").longValue() > 26);
    ObjectNode added = (ObjectNode) found.path("changes").path(0);
    assertEquals("latest", added.path("name").stringValue());
    found.remove("changes");
    // Two words of three letters, each behind the number of its store, and a count of 8 bytes.
    String expected =
        """
        {
          "application" : "%s",
          "possible" : true,
          "needsAcceptance" : true,
          "tasks" : 2,
          "reportedTasks" : 2,
          "kept" : [ {
            "text" : "count 'counts' (store 'counts')",
            "stateBytes" : 26,
            "writtenBytes" : 0,
            "seconds" : 0
          }, {
            "text" : "count 'per-window' (stores 'per-window', 'per-window-late', 'per-window-fired')",
            "writtenBytes" : 0,
            "seconds" : 0
          } ],
          "writtenBytes" : 0,
          "rollback" : "yes",
          "rollbackReasons" : [ ]
        }
        """
            .formatted(NAME);
    assertEquals(mapper.readTree(expected), found);
    String change =
        """
        {
          "effect" : "added",
          "kind" : "operator",
          "name" : "latest",
          "parameter" : "",
          "text" : "latest 'latest' (store 'latest') is new",
          "stateBytes" : 0,
          "writtenBytes" : 0,
          "seconds" : 0
        }
        """;
    assertEquals(mapper.readTree(change), added);
  }

  private static void removedStateIsGone(JobConfig config) throws InterruptedException {
    try (Job job = Millrace.start(new Fewer(), config)) {
      Patience patience = Patience.of(Duration.ofSeconds(30));
      while (job.state() != JobState.RUNNING) {
        assertTrue(!patience.isOver() && job.failure() == null, String.valueOf(job.failure()));
        Thread.sleep(10);
      }
    }
    assertSays(ExitCode.USAGE, collect("--store", "per-window"), "It has: counts, latest");
    assertSays(ExitCode.DONE, collect("--store", "counts"), "would be removed");
    assertSays(ExitCode.DONE, collect("--store", "counts", "--yes"), "counts: 2 entries");
    SharedTopics.write(NAME + "-in", "one");
    try (Job job = Millrace.start(new More(), config)) {
      assertEquals("1", SharedTopics.read(NAME + "-out", 5).getLast().value());
      assertNull(job.failure());
    }
  }

  private static Command collect(String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("app", "collect", NAME, "--bootstrap", bootstrapServers()));
    arguments.addAll(List.of(more));
    return Command.run(arguments.toArray(String[]::new));
  }
}
