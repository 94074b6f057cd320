package dev.millrace.internal.yarn.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs lines as a node manager does: between double quotes, by bash, in a script of bash.
class ShellLineTest {
  private static final String PRINT = "#!/bin/sh\nfor each; do printf '%s|' \"$each\"; done\n";

  @TempDir private Path directory;

  @Test
  void argumentsArriveAsTheyAre() throws IOException, InterruptedException {
    Path java = program(directory.resolve("a jdk"));
    List<String> arguments =
        List.of(
            "a b", "it's", "\"q\"", "$HOME", "`id`", "\\", "\\\"", "a\nb", "*", "", "--x=%s", "ü");
    String line = new ShellLine(java.toString()).add(arguments).text();
    assertEquals(String.join("|", arguments) + "|", run(line));
  }

  @Test
  void theJdkOfAnArchiveIsFound() throws IOException, InterruptedException {
    program(directory.resolve("jdk/jdk-25.0.3+9"));
    assertEquals("1|", run(new ShellLine("").add("1").text()));
  }

  private static Path program(Path home) throws IOException {
    Path java = Files.createDirectories(home.resolve("bin")).resolve("java");
    Files.writeString(java, PRINT);
    assertTrue(java.toFile().setExecutable(true));
    return home;
  }

  private String run(String line) throws IOException, InterruptedException {
    Path script = directory.resolve("script");
    Files.writeString(script, "exec /bin/bash -c \"" + line.replace("<LOG_DIR>", ".") + "\"\n");
    Process bash =
        new ProcessBuilder("/bin/bash", script.toString()).directory(directory.toFile()).start();
    assertEquals(0, bash.waitFor(), () -> said(bash));
    return Files.readString(directory.resolve("stdout"));
  }

  private static String said(Process bash) {
    try {
      return new String(bash.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
