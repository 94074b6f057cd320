package dev.millrace.house;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Which module may see which, and which libraries of others.
///
/// A module is known by its path in the tree; `systems/*` stands for every module in that
/// directory.
final class Arrows {

  /// What the modules that fit a pattern may see besides themselves and the JDK.
  ///
  /// @param libraries packages of others, with what is below them; empty for any
  private record May(String pattern, List<String> modules, Optional<List<String>> libraries) {}

  private static final List<String> BELOW_RUNTIME =
      List.of(
          "api",
          "spi",
          "state",
          "state-rocksdb",
          "engine",
          "serdes/*",
          "systems/*",
          "cluster",
          "cluster/*",
          "console");
  private static final List<String> ALL_BUT_CLI =
      Stream.concat(
              BELOW_RUNTIME.stream(), Stream.of("sketches", "runtime", "testkit", "beam", "beam/*"))
          .toList();

  private static final List<String> EVERYTHING =
      Stream.concat(ALL_BUT_CLI.stream(), Stream.of("examples", "examples/*", "benchmarks"))
          .toList();

  private static final List<May> TABLE =
      List.of(
          strict("api", List.of(), "org.jspecify"),
          strict("spi", List.of("api"), "org.jspecify"),
          strict("state", List.of("api", "spi"), "org.jspecify"),
          strict("engine", List.of("api", "spi", "state"), "org.jspecify", "org.slf4j"),
          any("serdes/*", "api"),
          any("sketches", "api"),
          any("state-rocksdb", "api", "spi", "state"),
          any("systems/*", "api", "spi", "systems/*"),
          any("testkit", "api", "spi", "state", "engine", "cluster"),
          any("cluster", "api", "spi", "state", "engine"),
          any("cluster/*", "api", "spi", "state", "engine", "cluster", "cluster/*"),
          any("console", "api", "spi", "state", "engine", "cluster"),
          // It makes a topology by hand, and runs tests on the engine without a job around it.
          any("beam", "api", "spi", "state", "engine", "systems/*", "runtime"),
          any("beam/portable", "api", "spi", "state", "engine", "runtime", "beam"),
          any("runtime", BELOW_RUNTIME),
          any("cli", EVERYTHING),
          // These stand where a user's project stands.
          any("examples", ALL_BUT_CLI),
          any("examples/*", ALL_BUT_CLI),
          any("benchmarks", ALL_BUT_CLI),
          any(
              "benchmarks/micro",
              Stream.concat(ALL_BUT_CLI.stream(), Stream.of("benchmarks")).toList()));

  private static final List<String> JDK =
      List.of("java.", "javax.", "jdk.", "com.sun.", "org.w3c.dom.", "org.xml.sax.");

  private Arrows() {}

  /// What goes against the table, and packages that two modules share.
  ///
  /// @param classesOfModules the compiled main classes of each module
  static List<String> violations(Map<String, JavaClasses> classesOfModules) {
    Set<String> found = new TreeSet<>();
    Map<String, String> moduleOfClass = new HashMap<>();
    Map<String, String> moduleOfPackage = new HashMap<>();
    classesOfModules.forEach((module, classes) -> {
      for (JavaClass javaClass : classes) {
        moduleOfClass.put(javaClass.getName(), module);
        String other = moduleOfPackage.putIfAbsent(javaClass.getPackageName(), module);
        if (other != null && !other.equals(module)) {
          found.add(
              "package %s is in the modules %s and %s: it may be in one only"
                  .formatted(javaClass.getPackageName(), other, module));
        }
      }
    });
    classesOfModules.forEach((module, classes) ->
        row(module)
            .ifPresentOrElse(
                may -> found.addAll(violations(module, may, classes, moduleOfClass)),
                () -> found.add(module + " has no arrows: say in Arrows what it may see")));
    return List.copyOf(found);
  }

  private static Set<String> violations(
      String module, May may, JavaClasses classes, Map<String, String> moduleOfClass) {
    Set<String> found = new TreeSet<>();
    for (JavaClass javaClass : classes) {
      for (Dependency dependency : javaClass.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        String other = moduleOfClass.get(target.getName());
        if (other == null
            ? !mayUse(may, target)
            : !other.equals(module)
                && may.modules().stream().noneMatch(pattern -> fits(pattern, other))) {
          found.add(
              "%s may not see %s: %s"
                  .formatted(
                      module,
                      other == null ? target.getPackageName() : other,
                      dependency.getDescription()));
        }
      }
    }
    return found;
  }

  private static boolean mayUse(May may, JavaClass target) {
    String name = target.getName();
    return target.isPrimitive()
        || JDK.stream().anyMatch(name::startsWith)
        || may.libraries()
            .map(packages -> packages.stream().anyMatch(each -> name.startsWith(each + ".")))
            .orElse(!name.startsWith("dev.millrace."));
  }

  private static Optional<May> row(String module) {
    return TABLE.stream().filter(may -> fits(may.pattern(), module)).findFirst();
  }

  private static boolean fits(String pattern, String module) {
    int slash = module.lastIndexOf('/');
    return pattern.equals(module)
        || (slash >= 0 && pattern.equals(module.substring(0, slash + 1) + "*"));
  }

  private static May strict(String pattern, List<String> modules, String... libraries) {
    return new May(pattern, modules, Optional.of(List.of(libraries)));
  }

  private static May any(String pattern, String... modules) {
    return any(pattern, List.of(modules));
  }

  private static May any(String pattern, List<String> modules) {
    return new May(pattern, modules, Optional.empty());
  }
}
