package dev.millrace.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs `bin/jdk.sh` in a shell that sees nothing but JDKs made up here.
class JdkFinderTest {
  private static final String LAUNCHER =
      """
      set -eu
      . "$1"
      printf 'found %s\\n' "$MILLRACE_JAVA"
      """;

  private final Path script = Reactor.find().root().resolve("bin/jdk.sh");
  private final Map<String, String> environment = new HashMap<>();

  @TempDir private Path machine;

  @BeforeEach
  void hideTheJdksOfThisMachine() throws IOException {
    // The tools that the script calls, and no java.
    Path tools = Files.createDirectory(machine.resolve("tools"));
    executable(tools.resolve("readlink"), "#!/bin/sh\nexec '" + onPath("readlink") + "' \"$@\"\n");
    environment.put("PATH", tools.toString());
    environment.put("HOME", machine.resolve("a home").toString());
    environment.put("MILLRACE_JDK_ROOT", machine.toString());
  }

  @Test
  void aMachineWithoutAnyIsToldWhatToInstall() {
    Ran ran = find();

    assertEquals(1, ran.status());
    assertEquals(
        """
        Millrace needs a JDK 25 or newer and found none.
        Install one, such as Eclipse Temurin 25, or set MILLRACE_JAVA_HOME to the directory of one.
        """,
        ran.out());
  }

  @Test
  void oneThatIsTooOldIsNamed() throws IOException {
    Path old = jdk("usr/lib/jvm/java-17", "17.0.15");
    jdk("usr/lib/jvm/java-8", "1.8.0_402");

    Ran ran = find();

    assertEquals(1, ran.status());
    assertTrue(ran.out().contains("Too old:\n  " + old + " (version 17.0.15)\n"), ran.out());
    assertTrue(ran.out().contains("(version 1.8.0_402)\n"), ran.out());
    assertTrue(ran.out().contains("Install one"), ran.out());
  }

  @Test
  void everyPlaceIsSearched() throws IOException {
    for (String place :
        new String[] {
          "usr/lib/jvm/temurin-25",
          "opt/jdk 25",
          "a home/.sdkman/candidates/java/25.0.1-tem",
          "Library/Java/JavaVirtualMachines/temurin-25.jdk/Contents/Home"
        }) {
      Path jdk = jdk(place, "25.0.3");
      assertFinds(jdk);
      Files.delete(jdk.resolve("bin/java"));
    }
  }

  @Test
  void anOlderOneIsPassedOver() throws IOException {
    jdk("usr/lib/jvm/a-17", "17.0.15");
    jdk("usr/lib/jvm/b-24", "24.0.2");
    Path wanted = jdk("usr/lib/jvm/c-26", "26-ea");

    assertFinds(wanted);
  }

  @Test
  void aVersionOfThreeDigitsIsNewer() throws IOException {
    assertFinds(jdk("opt/jdk", "100.0.1"));
  }

  @Test
  void javaHomeGoesBeforeThePathAndThePathBeforeTheUsualPlaces() throws IOException {
    jdk("usr/lib/jvm/temurin-25", "25.0.3");
    Path onPath = jdk("elsewhere/on-path", "25");
    Path javaHome = jdk("elsewhere/home", "25.0.1");
    Files.createSymbolicLink(machine.resolve("tools/java"), onPath.resolve("bin/java"));

    assertFinds(onPath);
    environment.put("JAVA_HOME", javaHome.toString());
    assertFinds(javaHome);
  }

  @Test
  void aJavaHomeThatIsTooOldIsPassedOver() throws IOException {
    Path wanted = jdk("usr/lib/jvm/temurin-25", "25.0.3");
    environment.put("JAVA_HOME", jdk("elsewhere/old", "21.0.1").toString());

    assertFinds(wanted);
  }

  @Test
  void theHomeSetForMillraceIsTakenOrRefusedButNeverPassedOver() throws IOException {
    jdk("usr/lib/jvm/temurin-25", "25.0.3");
    Path chosen = jdk("elsewhere/chosen", "27");
    environment.put("MILLRACE_JAVA_HOME", chosen.toString());
    assertFinds(chosen);

    Path old = jdk("elsewhere/old", "21.0.1");
    environment.put("MILLRACE_JAVA_HOME", old.toString());
    Ran ran = find();
    assertEquals(1, ran.status());
    assertTrue(
        ran.out().startsWith("MILLRACE_JAVA_HOME is " + old + ", which is not a JDK 25"),
        ran.out());
  }

  @Test
  void aJdkWithAReleaseFileIsNotStarted() throws IOException {
    Path jdk = jdk("opt/jdk", "25.0.3");
    Path started = machine.resolve("started");
    executable(jdk.resolve("bin/java"), "#!/bin/sh\n: > '" + started + "'\n");

    assertFinds(jdk);
    assertTrue(Files.notExists(started));
  }

  @Test
  void aJdkWithoutAReleaseFileIsAsked() throws IOException {
    Path jdk = jdk("opt/jdk", "25.0.3");
    Files.delete(jdk.resolve("release"));
    executable(
        jdk.resolve("bin/java"),
        """
        #!/bin/sh
        echo 'openjdk version "25.0.1" 2025-10-21 LTS' >&2
        """);

    assertFinds(jdk);
  }

  @Test
  void whatIsNoJdkIsPassedOver() throws IOException {
    Path broken = jdk("opt/a-broken", "25.0.3");
    Files.delete(broken.resolve("release"));
    executable(broken.resolve("bin/java"), "#!/bin/sh\nexit 1\n");
    Path empty = jdk("opt/b-empty", "25.0.3");
    Files.writeString(empty.resolve("release"), "");
    Path wanted = jdk("opt/c-wanted", "25.0.3");

    assertFinds(wanted);
  }

  private void assertFinds(Path jdk) {
    assertEquals(new Ran(0, "found " + jdk.resolve("bin/java") + "\n"), find());
  }

  private Ran find() {
    return Ran.with(environment, machine, "/bin/sh", "-c", LAUNCHER, "launcher", script.toString());
  }

  private Path jdk(String place, String version) throws IOException {
    Path home = machine.resolve(place);
    Files.createDirectories(home.resolve("bin"));
    Files.writeString(
        home.resolve("release"),
        "IMPLEMENTOR=\"Made up\"\nJAVA_VERSION=\"%s\"\nJAVA_VERSION_DATE=\"2026-04-21\"\n"
            .formatted(version));
    executable(home.resolve("bin/java"), "#!/bin/sh\nexit 99\n");
    return home;
  }

  private static void executable(Path file, String text) throws IOException {
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static Path onPath(String tool) {
    return Stream.of(System.getenv("PATH").split(":"))
        .map(directory -> Path.of(directory, tool))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow();
  }
}
