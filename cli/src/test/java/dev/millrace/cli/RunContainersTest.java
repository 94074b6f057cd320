package dev.millrace.cli;

import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.bootstrapServers;
import static dev.millrace.kafka.embedded.SharedEmbeddedKafka.uniqueName;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.ExitCode;
import dev.millrace.kafka.embedded.Patience;
import dev.millrace.kafka.embedded.SharedTopics;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// An application as several processes that the command keeps alive.
class RunContainersTest {
  @TempDir Path directory;

  private final String name = uniqueName("containers");

  private JavaProcess start(String... before) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("run"));
    arguments.addAll(List.of(before));
    arguments.addAll(List.of(Numbers.class.getName(), "--bootstrap", bootstrapServers()));
    return JavaProcess.start(
        directory,
        List.of("-D" + Numbers.NAME + "=" + name),
        System.getProperty("java.class.path"),
        Main.class.getName(),
        arguments);
  }

  @Test
  void whoDiesIsStartedAgainAndAllStopTogether() throws IOException, InterruptedException {
    SharedTopics.create(name + "-in", 1);
    try (JavaProcess parent = start("--containers", "2")) {
      parent.awaitOutput("1 | ");
      parent.await(
          () -> parent.output().lines().filter(line -> line.endsWith("is RUNNING.")).count() == 2,
          "They do not run");
      Set<Long> first = parent.children();
      assertEquals(2, first.size());
      SharedTopics.write(name + "-in", "1", "2");
      assertEquals(2, SharedTopics.read(name + "-out", 2).size());
      ProcessHandle.of(first.iterator().next()).orElseThrow().destroyForcibly();
      parent.awaitOutput("has ended with status 137, and is started again in 1 s.");
      parent.await(
          () -> parent.output().lines().filter(line -> line.endsWith("is RUNNING.")).count() == 3,
          "It does not run again");
      Set<Long> second = parent.children();
      assertEquals(2, second.size());
      SharedTopics.write(name + "-in", "3");
      SharedTopics.read(name + "-out", 3);
      parent.terminate();
      assertEquals(ExitCode.DONE, parent.status(), parent.output());
      for (long pid : second) {
        assertTrue(ProcessHandle.of(pid).isEmpty(), parent.output());
      }
    }
  }

  /// None of them would do better.
  @Test
  void whatAStartDoesNotMendEndsAll() throws IOException, InterruptedException {
    SharedTopics.create(name + "-in", 2); // and one is declared
    try (JavaProcess parent = start("--containers=2")) {
      assertEquals(ExitCode.USAGE, parent.status(), parent.output());
      assertTrue(parent.output().contains("1 | "), parent.output());
      assertTrue(parent.output().contains("has 2 partitions"), parent.output());
    }
    try (JavaProcess parent = start("--containers=0")) {
      assertEquals(ExitCode.USAGE, parent.status(), parent.output());
    }
  }

  /// The load of all records takes one worker twelve minutes, and the topic has four partitions.
  @Test
  @Tag("thorough")
  void thereAreMoreWhereTheLoadNeedsThem() throws IOException, InterruptedException {
    SharedTopics.create(name + "-in", 4);
    SharedTopics.write(
        name + "-in", IntStream.range(0, 36_000).mapToObj(i -> "v" + i).toArray(String[]::new));
    List<String> arguments = List.of("run", "--containers", "1..3", Sleepy.class.getName());
    List<String> all = new ArrayList<>(arguments);
    all.addAll(List.of("--bootstrap", bootstrapServers(), "--placement.workers", "1"));
    try (JavaProcess parent =
        JavaProcess.start(
            directory,
            List.of("-D" + Sleepy.NAME + "=" + name),
            System.getProperty("java.class.path"),
            Main.class.getName(),
            all)) {
      Patience.await(
          "A second container",
          Duration.ofMinutes(5),
          () -> parent.output().contains("There are 2 containers from now on."));
      parent.await(() -> parent.children().size() == 2, "There are no two");
      parent.terminate();
      assertEquals(ExitCode.DONE, parent.status(), parent.output());
    }
    try (JavaProcess parent = start("--containers=3..2")) {
      assertEquals(ExitCode.USAGE, parent.status(), parent.output());
    }
  }
}
