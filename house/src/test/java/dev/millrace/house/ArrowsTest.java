package dev.millrace.house;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.EvaluationResult;
import dev.millrace.house.planted.arrows.Sees;
import dev.millrace.house.planted.arrows.seen.Seen;
import dev.millrace.house.planted.cycle.one.One;
import dev.millrace.house.planted.cycle.two.Two;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ArrowsTest {
  private final Reactor reactor = Reactor.find();

  @Test
  void everyDirectoryWithMainSourcesIsAModuleAndSeenWhole() {
    Map<String, Integer> sources = new TreeMap<>();
    for (Path file : SourceTree.javaFiles(reactor.root())) {
      String path = reactor.shown(file);
      int end = path.indexOf("/src/main/java/");
      if (end > 0) {
        sources.merge(path.substring(0, end), 1, Integer::sum);
      }
    }
    assertTrue(sources.keySet().containsAll(Set.of("api", "spi")), sources.toString());
    Set<String> ofProfiles = new TreeSet<>(reactor.modulesOfProfiles());
    // One may be a class path, and nothing more.
    ofProfiles.removeIf(module -> !Files.isDirectory(reactor.root().resolve(module + "/src/main")));
    assertTrue(sources.keySet().containsAll(ofProfiles), sources.toString());
    sources.keySet().removeAll(ofProfiles);

    Map<String, JavaClasses> seen = CompiledModules.read().ofModules();

    assertEquals(sources.keySet(), seen.keySet());
    sources.forEach((module, count) ->
        assertTrue(
            seen.get(module).size() >= count,
            () ->
                "%s: %d classes of %d sources".formatted(module, seen.get(module).size(), count)));
  }

  @Test
  void theHouseIsBuiltAfterEveryModuleItChecks() {
    Reactor.Module house = reactor.modules().getLast();
    assertEquals("house", house.name(), "the last module");

    List<String> missing = new ArrayList<>();
    for (Reactor.Module module : reactor.modules()) {
      if (!module.mainSources().isEmpty() && !house.dependencies().contains(module.artifactId())) {
        missing.add(module.artifactId());
      }
    }
    assertEquals(List.of(), missing, "add to the dependencies in house/pom.xml, with scope test");
  }

  @Test
  void arrowsGoOneWay() {
    assertNone(Arrows.violations(CompiledModules.read().ofModules()));
  }

  @Test
  void anArrowAgainstTheTableIsReported() {
    JavaClasses sees = new ClassFileImporter().importClasses(Sees.class);
    JavaClasses seen = new ClassFileImporter().importClasses(Seen.class);

    assertReports("api may not see spi:", Map.of("api", sees, "spi", seen));
    assertReports("systems/one may not see engine:", Map.of("systems/one", sees, "engine", seen));
    assertReports("beam may not see cluster:", Map.of("beam", sees, "cluster", seen));
    assertReports("runtime may not see cli:", Map.of("runtime", sees, "cli", seen));
    assertReports("elsewhere has no arrows", Map.of("elsewhere", sees, "spi", seen));
    assertReports("spi may not see com.tngtech.archunit.core.domain:", Map.of("spi", sees));
    assertReports("package " + Seen.class.getPackageName(), Map.of("spi", seen, "state", seen));
    assertEquals(
        List.of(), Arrows.violations(Map.of("systems/one", sees, "spi", seen)), "an allowed arrow");
  }

  @Test
  void noPackagesFormACycle() {
    assertNone(cycles(CompiledModules.read().all()));
  }

  @Test
  void aCycleOfPackagesIsReported() {
    EvaluationResult result = cycles(new ClassFileImporter().importClasses(One.class, Two.class));

    assertTrue(result.hasViolation());
  }

  private static EvaluationResult cycles(JavaClasses classes) {
    return slices().matching("dev.millrace.(**)").should().beFreeOfCycles().evaluate(classes);
  }

  private static void assertNone(EvaluationResult result) {
    assertFalse(result.hasViolation(), () -> result.getFailureReport().toString());
  }

  private static void assertNone(List<String> violations) {
    assertEquals("", String.join("\n", violations));
  }

  private static void assertReports(String start, Map<String, JavaClasses> modules) {
    List<String> violations = Arrows.violations(modules);
    assertTrue(
        violations.stream().anyMatch(each -> each.startsWith(start)),
        () -> "no '" + start + "' in " + violations);
  }
}
