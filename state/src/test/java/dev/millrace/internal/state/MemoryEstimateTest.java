package dev.millrace.internal.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// Shares of memory are held by estimates, so these must be right.
class MemoryEstimateTest {
  private static final double MOST_BELOW = 0.15;
  private static final double MOST_ABOVE = 0.15;

  /// An object's size in memory is not known. What is assumed, twice its encoding, is too much for
  /// bytes and texts.
  private static final double MOST_ABOVE_OF_OBJECTS = 0.5;

  @Test
  void whatStructuresClaimToTakeIsWhatTheyTake() throws IOException, InterruptedException {
    List<String> lines = measured();
    assertEquals(3 * 13 + 1, lines.size(), lines::toString);
    for (String line : lines.subList(1, lines.size())) {
      String[] parts = line.split(" ", 3);
      double ratio = (double) Long.parseLong(parts[0]) / Long.parseLong(parts[1]);
      double above = parts[2].startsWith("objects") ? MOST_ABOVE_OF_OBJECTS : MOST_ABOVE;
      assertTrue(
          ratio >= 1 - MOST_BELOW && ratio <= 1 + above,
          () -> "%s: claimed %s, took %s".formatted(parts[2], parts[0], parts[1]));
    }
  }

  private static List<String> measured() throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(property("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                // Or a collection leaves some of what is dead where it lies.
                "-XX:MarkSweepAlwaysCompactCount=1",
                // Or how long what is only softly reachable stays depends on the clock.
                "-XX:SoftRefLRUPolicyMSPerMB=0",
                "-XX:TieredStopAtLevel=1",
                // A compiler beside the program may hold what it looks at.
                "-Xbatch",
                "-cp",
                property("java.class.path"),
                MemoryEstimates.class.getName())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    return said.lines().toList();
  }

  private static String property(String name) {
    return Objects.requireNonNull(System.getProperty(name), name);
  }
}
