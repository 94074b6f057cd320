package dev.millrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.ExitCode;
import dev.millrace.testkit.sim.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock("what is logged")
class SimulateTest {
  @TempDir private Path directory;

  private static final Pattern TRACE = Pattern.compile("trace ([0-9a-f]{16})\\.");

  private static List<String> traces(String out) {
    return TRACE.matcher(out).results().map(MatchResult::group).toList();
  }

  @Tag("thorough")
  @Test
  void itSaysWhatWasRunAndTheSameSeedsGiveTheSameTraceOnAnyNumberOfThreads() {
    String seeds = Integer.toString(20 * Scenario.all().size());
    Command one = Command.run("simulate", "--seeds", seeds, "--from", "20", "--threads", "1");
    assertEquals(ExitCode.DONE, one.status(), one.out());
    for (Scenario each : Scenario.all()) {
      String said = "Simulated %s: 20 seeds, 1 of them on RocksDB, 0 failed".formatted(each.name());
      assertTrue(one.out().contains(said), one.out());
    }
    assertTrue(one.out().contains("COMMITTING"), one.out());
    Command two = Command.run("simulate", "--seeds", seeds, "--from", "20", "--threads", "3");
    assertEquals(traces(one.out()), traces(two.out()));
    Command other = Command.run("simulate", "--seeds", seeds, "--from", "21");
    traces(other.out()).forEach(trace -> assertFalse(traces(one.out()).contains(trace)));
  }

  /// A crash apart that comes in an operation on the disk, a disk is like any other.
  @Tag("thorough")
  @Test
  void allScenariosRunOnRocksDb() {
    String seeds = Integer.toString(10 * Scenario.all().size());
    Command real = Command.run("simulate", "--seeds", seeds, "--disk", "rocksdb");
    assertEquals(ExitCode.DONE, real.status(), real.out());
    assertTrue(real.out().contains("10 seeds, 10 of them on RocksDB"), real.out());
  }

  /// `SeedsTest` runs more, on the models alone.
  @Test
  void aSeedOfEachScenarioOnRocksDb() {
    String seeds = Integer.toString(Scenario.all().size());
    Command command =
        Command.run("simulate", "--seeds", seeds, "--from", "1000", "--disk", "rocksdb");
    assertEquals(ExitCode.DONE, command.status(), command.out());
    for (Scenario each : Scenario.all()) {
      String said = "Simulated %s: 1 seeds, 1 of them on RocksDB, 0 failed".formatted(each.name());
      assertTrue(command.out().contains(said), command.out());
    }
  }

  @Tag("thorough")
  @Test
  void eightThousandSeedsOfAllScenarios() {
    Command command = Command.run("simulate", "--seeds", "8000", "--from", "1000");
    assertEquals(ExitCode.DONE, command.status(), command.out());
    command.out().lines().filter(line -> line.startsWith("Simulated")).forEach(System.out::println);
  }

  @Tag("thorough")
  @Test
  void aFewSchedulesOnKafka() {
    Command command =
        Command.run("simulate", "--kafka", "--scenario", "topologies", "--seeds", "2");
    assertEquals(ExitCode.DONE, command.status(), command.out());
    assertTrue(command.out().contains("Repeated topologies on Kafka: 2 seeds"), command.out());
  }

  @Tag("thorough")
  @Test
  void twoHundredSchedulesOnKafka() {
    Command command = Command.run("simulate", "--kafka");
    assertEquals(ExitCode.DONE, command.status(), command.out());
  }

  @Test
  void aScenarioThatDoesNotExistIsAMistake() {
    Command command = Command.run("simulate", "--scenario", "sumz");
    assertEquals(ExitCode.USAGE, command.status());
    assertTrue(
        command.out().contains("There is no scenario 'sumz'. The scenarios are [sums"),
        command.out());
  }

  @Tag("thorough")
  @Test
  void aHundredSeedsOfEveryScenarioGiveTheSameTracesInTwoProcesses()
      throws IOException, InterruptedException {
    String seeds = Integer.toString(100 * Scenario.all().size());
    List<String> traces = new ArrayList<>();
    for (String threads : List.of("1", "2")) {
      List<String> arguments = List.of("simulate", "--seeds", seeds, "--threads", threads);
      try (JavaProcess process =
          JavaProcess.start(
              Files.createDirectories(directory.resolve(threads)),
              List.of(),
              System.getProperty("java.class.path"),
              Main.class.getName(),
              arguments)) {
        assertEquals(ExitCode.DONE, process.status(900), process.output());
        List<String> ofRun = traces(process.output());
        assertEquals(Scenario.all().size(), ofRun.size(), process.output());
        traces.add(ofRun.toString());
      }
    }
    assertEquals(traces.get(0), traces.get(1));
  }
}
