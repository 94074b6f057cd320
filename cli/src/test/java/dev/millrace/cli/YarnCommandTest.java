package dev.millrace.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.millrace.ExitCode;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class YarnCommandTest {
  private static final String HOME = "millrace.home";

  private final String before = Objects.requireNonNullElse(System.getProperty(HOME), "");

  @TempDir private Path directory;

  @AfterEach
  void setBack() {
    if (before.isEmpty()) {
      System.clearProperty(HOME);
    } else {
      System.setProperty(HOME, before);
    }
  }

  @Test
  void whereThePartForYarnIsNotBuiltItIsSaidHowToBuildIt() {
    System.setProperty(HOME, directory.toString());
    Command run = Command.run("yarn", "status", "--conf", "nowhere", "counting");
    assertEquals(ExitCode.USAGE, run.status(), run.out());
    assertTrue(run.out().contains("mvn package -pl cluster/yarn"), run.out());
  }
}
