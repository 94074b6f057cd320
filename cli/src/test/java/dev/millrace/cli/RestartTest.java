package dev.millrace.cli;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.ExitCode;
import dev.millrace.kafka.embedded.Patience;
import dev.millrace.kafka.embedded.SharedTopics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The processes of an application restart, one after the other.
class RestartTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final int PARTITIONS = 6;

  @TempDir Path directory;

  private final String name = uniqueName("steady");

  private JavaProcess start(String... before) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("run"));
    arguments.addAll(List.of(before));
    arguments.addAll(List.of(Steady.class.getName(), "--bootstrap", bootstrapServers()));
    return JavaProcess.start(
        directory,
        List.of("-D" + Steady.NAME + "=" + name),
        System.getProperty("java.class.path"),
        Main.class.getName(),
        arguments);
  }

  private Command restart(String... more) {
    List<String> all = new ArrayList<>(List.of("restart", name, "--rolling"));
    all.addAll(List.of(more));
    all.add("--bootstrap=" + bootstrapServers());
    return Command.run(all.toArray(String[]::new));
  }

  private JsonNode placement() {
    Command json = Command.run("placement", name, "--json", "--bootstrap=" + bootstrapServers());
    return json.status() == ExitCode.DONE
        ? JsonMapper.builder().build().readTree(json.out())
        : JsonMapper.builder().build().createObjectNode();
  }

  /// By the name of a process that lives, its process id.
  private Map<String, Long> living() {
    Map<String, Long> living = new TreeMap<>();
    for (JsonNode process : placement().path("processes")) {
      if (process.get("lives").asBoolean()) {
        living.put(process.get("name").asString(), process.get("pid").asLong());
      }
    }
    return living;
  }

  /// How many tasks each process has; empty unless all are at work.
  private Map<String, Integer> shares() {
    Map<String, Integer> shares = new TreeMap<>();
    for (JsonNode task : placement().path("tasks")) {
      if (!task.get("is").asString().startsWith("at work")
          || !task.get("heir").asString().isEmpty()) {
        return Map.of();
      }
      shares.merge(task.get("process").asString(), 1, Integer::sum);
    }
    return shares;
  }

  @Test
  void eachProcessIsReplacedAndNoPartitionIsSilentForLong()
      throws IOException, InterruptedException {
    SharedTopics.create(name + "-in", PARTITIONS);
    SharedTopics.create(name + "-out", 1);
    try (JavaProcess parent = start("--containers", "3");
        SteadyTraffic traffic = new SteadyTraffic(name, PARTITIONS)) {
      Map<String, Integer> even = Map.of();
      Patience patience = Patience.of(PATIENCE);
      while (even.size() < 3 || !even.values().stream().allMatch(each -> each == 4)) {
        assertTrue(!patience.isOver(), () -> "The tasks are not shared: " + parent.output());
        even = shares();
      }
      traffic.awaitBegun();
      Map<String, Long> before = living();
      Set<Long> children = parent.children();
      assertEquals(children, new TreeSet<>(before.values()));
      Duration usual = traffic.longestSilence();

      Command restarted = restart();
      assertEquals(ExitCode.DONE, restarted.status(), restarted.out() + parent.output());
      String tooLong = traffic.tooLong();
      Duration longest = traffic.longestSilence();
      System.out.println(restarted.out());
      System.out.printf("Longest silence: %s before, %s meanwhile.%n", usual, longest);

      Map<String, Long> after = living();
      assertEquals(before.keySet(), after.keySet(), parent.output());
      before.forEach((process, pid) -> assertNotEquals(pid, after.get(process)));
      assertEquals(parent.children(), new TreeSet<>(after.values()));
      assertEquals(even, shares());
      assertTrue(restarted.out().contains("3 processes were restarted."), restarted.out());
      Map<String, List<Long>> counts = traffic.end();
      assertEquals("", tooLong, parent.output());
      List<Long> expected = LongStream.rangeClosed(1, traffic.rounds()).boxed().toList();
      counts.forEach((word, of) -> assertEquals(expected, of, word));
      parent.terminate();
      assertEquals(ExitCode.DONE, parent.status(), parent.output());
    }
  }

  /// Nothing starts a process again here.
  @Test
  void whoDoesNotComeBackEndsTheCommand() throws IOException, InterruptedException {
    SharedTopics.create(name + "-in", PARTITIONS);
    SharedTopics.create(name + "-out", 1);
    try (JavaProcess first = start();
        JavaProcess second = start()) {
      Patience.await("The tasks are not shared", PATIENCE, () -> shares().size() == 2);
      Command stopped = restart("--patience", "15");
      assertEquals(ExitCode.FAILED, stopped.status(), stopped.out());
      assertTrue(stopped.out().contains("has not come back"), stopped.out());
      assertTrue(stopped.out().contains("Not restarted: "), stopped.out());
      Map<String, Integer> rest = shares();
      assertEquals(List.of(2 * PARTITIONS), List.copyOf(rest.values()));
      JavaProcess ended = first.isAlive() ? second : first;
      assertEquals(ExitCode.RESTART, ended.status(), ended.output());
      JavaProcess other = first.isAlive() ? first : second;

      // It is alone now, and nobody can take its tasks.
      Command alone = restart("--patience", "5");
      assertEquals(ExitCode.FAILED, alone.status(), alone.out());
      assertTrue(alone.out().contains("No other process may have its tasks"), alone.out());
      assertEquals(ExitCode.RESTART, other.status(), other.output());
    }
  }
}
