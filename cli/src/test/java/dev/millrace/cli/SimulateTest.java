package dev.millrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.ExitCode;
import dev.millrace.testkit.sim.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimulateTest {
  @TempDir private Path directory;

  private static final Pattern TRACE = Pattern.compile("trace ([0-9a-f]{16})\\.");

  private static String trace(String out) {
    Matcher found = TRACE.matcher(out);
    assertTrue(found.find(), out);
    return found.group(1);
  }

  @Test
  void itSaysWhatWasRunAndTheSameSeedsGiveTheSameTraceOnAnyNumberOfThreads() {
    Command one = Command.run("simulate", "--seeds", "40", "--from", "7", "--threads", "1");
    assertEquals(ExitCode.DONE, one.status(), one.out());
    assertTrue(one.out().contains("Simulated sums: 40 seeds, 0 failed"), one.out());
    assertTrue(one.out().contains("COMMITTING"), one.out());
    Command two = Command.run("simulate", "--seeds", "40", "--from", "7", "--threads", "3");
    assertEquals(trace(one.out()), trace(two.out()));
    Command other = Command.run("simulate", "--seeds", "40", "--from", "8");
    assertTrue(!trace(one.out()).equals(trace(other.out())));
  }

  @Test
  void aScenarioThatDoesNotExistIsAMistake() {
    Command command = Command.run("simulate", "--scenario", "sumz");
    assertEquals(ExitCode.USAGE, command.status());
    assertTrue(
        command.out().contains("There is no scenario 'sumz'; there are [sums"), command.out());
  }

  @Tag("thorough")
  @Test
  void aThousandSeedsGiveTheSameTracesInTwoProcesses() throws IOException, InterruptedException {
    List<String> traces = new ArrayList<>();
    for (String threads : List.of("1", "2")) {
      List<String> arguments = List.of("simulate", "--seeds", "1000", "--threads", threads);
      try (JavaProcess process =
          JavaProcess.start(
              Files.createDirectories(directory.resolve(threads)),
              List.of(),
              System.getProperty("java.class.path"),
              Main.class.getName(),
              arguments)) {
        assertEquals(ExitCode.DONE, process.status(300), process.output());
        List<String> ofRun =
            TRACE.matcher(process.output()).results().map(MatchResult::group).toList();
        assertEquals(Scenario.all().size(), ofRun.size(), process.output());
        traces.add(ofRun.toString());
      }
    }
    assertEquals(traces.get(0), traces.get(1));
  }
}
