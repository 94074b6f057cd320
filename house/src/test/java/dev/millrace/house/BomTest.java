package dev.millrace.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// The BOM names what a user's project may depend on, all of it, in the versions of the build.
class BomTest {
  /// What no project of a user depends on: tests, measurements, examples and the command.
  private static final Set<String> INNER =
      new TreeSet<>(
          Set.of(
              "bom",
              "benchmarks",
              "benchmarks/micro",
              "benchmarks/queries",
              "cli",
              "examples",
              "examples/beam",
              "house",
              "proof"));

  private final Reactor reactor = Reactor.find();
  private final Map<String, String> managed = reactor.managed("bom");

  @Test
  void everyModuleForUsersIsInIt() {
    Set<String> expected = new TreeSet<>();
    for (Reactor.Module module : reactor.modules()) {
      if (!INNER.contains(module.name()) && !reactor.modulesOfProfiles().contains(module.name())) {
        expected.add("dev.millrace:" + module.artifactId());
      }
    }
    Set<String> ours = new TreeSet<>(managed.keySet());
    ours.removeIf(name -> !name.startsWith("dev.millrace:"));
    assertEquals(expected, ours);
    ours.forEach(name -> assertEquals("${project.version}", managed.get(name), name));
  }

  @Test
  void itsVersionIsThatOfTheBuild() {
    assertEquals(reactor.version(), reactor.versionOf("bom"));
  }

  @Test
  void theReadmeNamesThatVersion() throws IOException {
    String readme = Files.readString(reactor.root().resolve("README.md"));
    assertTrue(
        readme.contains(
            "<artifactId>millrace-bom</artifactId>\n      <version>%s</version>"
                .formatted(reactor.version())));
  }

  @Test
  void librariesHaveTheVersionsOfTheBuild() {
    Map<String, String> built = reactor.managed("");
    Map<String, String> libraries = new TreeMap<>(managed);
    libraries.keySet().removeIf(name -> name.startsWith("dev.millrace:"));
    // The core has the version of what is built on it.
    built.put("tools.jackson.core:jackson-core", built.get("tools.jackson.core:jackson-databind"));
    libraries.forEach((name, version) -> assertEquals(built.get(name), version, name));
    assertEquals(3, libraries.size());
  }
}
