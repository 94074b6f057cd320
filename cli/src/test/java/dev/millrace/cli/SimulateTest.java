package dev.millrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.ExitCode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class SimulateTest {
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
}
