package dev.millrace.beam.validation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Beam's test with keys of 100 MB, of which the test itself keeps several copies: in a process of
/// its own, since no other test needs so much memory.
@Tag("thorough")
class LargestKeysTest {
  static final String NAME = "transforms.GroupByKeyTest$BasicTests#testLargeKeys100MB";

  private static final String HEAP = "-Xmx6g";
  private static final int PATIENCE_MINUTES = 5;

  @TempDir private Path directory;

  @Test
  void keysOf100MegabytesAreGrouped() throws IOException, InterruptedException {
    Path says = directory.resolve("says");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (!option.startsWith("-Xmx") && !option.startsWith("-javaagent")) {
        command.add(option);
      }
    }
    command.add(HEAP);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), OneTest.class.getName()));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(says.toFile()).start();
    try {
      assertTrue(process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES), "it has not ended");
      assertEquals(0, process.exitValue(), () -> read(says));
    } finally {
      process.destroyForcibly();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }

  /// Runs that test, and ends with status 1 if it fails.
  static final class OneTest {
    private OneTest() {}

    public static void main(String[] args) throws ClassNotFoundException {
      ValidatesRunnerTest.options();
      BeamTests.run(NAME);
      System.exit(0);
    }
  }
}
