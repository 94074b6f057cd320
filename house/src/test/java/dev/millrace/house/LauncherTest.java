package dev.millrace.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs the launcher in a working copy, with a Maven and a JDK, that are made up here: both write
/// down what they are asked for.
class LauncherTest {
  private static final String MVN =
      """
      #!/bin/sh
      echo build >> "$ASKED"
      mkdir -p "$ROOT/cli/target/lib"
      touch "$ROOT/cli/target/millrace-cli-1.jar"
      """;

  private static final String JAVA =
      """
      #!/bin/sh
      held=
      for fd in 8 9; do
        if { true >&$fd; } 2> /dev/null; then held=" holding $fd"; fi
      done
      cached=
      for option; do
        case $option in
          -XX:AOTCacheOutput=*) made=${option#*=} ;;
          -XX:AOTCache=*) cached=" with $(cat "${option#*=}")" ;;
          -Xlog:aot\\*=off) quiet=yes ;;
        esac
      done
      if [ -n "${made-}" ]; then
        echo "rehearsal$held" >> "$ASKED"
        [ -z "${BROKEN-}" ] || echo "half a cache" > "$made"
        [ -z "${BROKEN-}" ] || exit 1
        echo "a cache" > "$made"
        exit
      fi
      [ -z "$cached" ] || [ -n "${quiet-}" ] || cached="$cached, noisily"
      echo "command$cached$held" >> "$ASKED"
      """;

  private final Map<String, String> environment = new HashMap<>(System.getenv());

  @TempDir private Path directory;
  private Path root;
  private Path jdk;
  private Path asked;

  @BeforeEach
  void makeAWorkingCopy() throws IOException {
    Path real = Reactor.find().root();
    root = Files.createDirectories(directory.resolve("a copy"));
    Files.createDirectories(root.resolve("bin"));
    Files.copy(real.resolve("bin/jdk.sh"), root.resolve("bin/jdk.sh"));
    executable(root.resolve("millrace"), Files.readString(real.resolve("millrace")));
    Path source = root.resolve("engine/src/main/A.java");
    Files.createDirectories(source.getParent());
    Files.writeString(source, "");
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().minusSeconds(60)));
    Path tools = Files.createDirectories(directory.resolve("tools"));
    executable(tools.resolve("mvn"), MVN);
    jdk = Files.createDirectories(directory.resolve("jdk/bin")).getParent();
    executable(jdk.resolve("bin/java"), JAVA);
    release("25.0.3");
    asked = directory.resolve("asked");
    environment.put("PATH", tools + ":" + System.getenv("PATH"));
    environment.put("MILLRACE_JAVA_HOME", jdk.toString());
    environment.put("ROOT", root.toString());
    environment.put("ASKED", asked.toString());
    environment.remove("MILLRACE_AOT");
    environment.remove("MILLRACE_JAVA_OPTS");
  }

  private static void executable(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private void release(String version) throws IOException {
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
  }

  /// What was asked for in this run, and what the user saw.
  private List<String> launch(String... said) throws IOException {
    Files.deleteIfExists(asked);
    Ran ran = Ran.with(environment, directory, root.resolve("millrace").toString(), "topics");
    assertEquals(0, ran.status(), ran.out());
    assertEquals(List.of(said), ran.out().lines().toList());
    return Files.readAllLines(asked);
  }

  private static final String BUILDING = "Building Millrace, which is necessary only once.";
  private static final String PREPARING = "Preparing fast starts, which is necessary only once.";

  @Test
  void theFirstRunMakesTheCacheThatAllRunsUse() throws IOException {
    assertEquals(
        List.of("build", "rehearsal", "command with a cache"), launch(BUILDING, PREPARING));
    assertEquals(List.of("command with a cache"), launch());
    try (var left = Files.list(root.resolve("cli/target"))) {
      assertFalse(left.anyMatch(file -> file.toString().contains(".work.")));
    }
  }

  @Test
  void anotherBuildGetsAnotherCache() throws IOException {
    launch(BUILDING, PREPARING);
    Path source = root.resolve("engine/src/main/A.java");
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plusSeconds(1)));
    List<String> run = launch(BUILDING, PREPARING);
    assertEquals(List.of("build", "rehearsal", "command with a cache"), run);
  }

  @Test
  void anotherJdkGetsAnotherCache() throws IOException {
    launch(BUILDING, PREPARING);
    release("25.0.4");
    assertEquals(List.of("rehearsal", "command with a cache"), launch(PREPARING));
    assertEquals(List.of("command with a cache"), launch());
  }

  @Test
  void aRehearsalThatFailsIsNotTriedAgainAndHarmsNothing() throws IOException {
    environment.put("BROKEN", "yes");
    assertEquals(List.of("build", "rehearsal", "command"), launch(BUILDING, PREPARING));
    assertEquals(List.of("command"), launch());
    assertTrue(Files.exists(root.resolve("cli/target/launcher.aot.log")));
  }

  @Test
  void whoWantsNoCacheGetsNone() throws IOException {
    environment.put("MILLRACE_AOT", "no");
    assertEquals(List.of("build", "command"), launch(BUILDING));
    environment.remove("MILLRACE_AOT");
    launch(PREPARING);
    environment.put("MILLRACE_AOT", "no");
    assertEquals(List.of("command"), launch());
  }

  /// It is built with modules by name, which a profile may or may not have.
  @Test
  void buildsModulesThatThereAre() throws IOException {
    Reactor reactor = Reactor.find();
    List<String> lines = Files.readAllLines(reactor.root().resolve("millrace"));
    String modules = "";
    String profiles = "";
    int cases = 0;
    for (String line : lines) {
      String said = line.strip();
      if (said.endsWith("*) ;;") || said.endsWith("\"*)")) {
        profiles = "profiles=unchecked";
      } else if (said.startsWith("modules=")) {
        modules = said;
      } else if (said.startsWith("profiles=")) {
        profiles = said;
      } else if (said.startsWith("stamp=")) {
        assertTrue(
            reactor.modulesWith(values(profiles)).containsAll(values(modules)),
            modules + " with " + profiles);
        cases++;
      }
    }
    assertTrue(cases >= 5, () -> "Of the launcher's builds, these were found: " + lines);
  }

  private static Set<String> values(String assignment) {
    return Set.of(assignment.substring(assignment.indexOf('=') + 1).split(","));
  }
}
