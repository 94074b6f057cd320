package dev.millrace.house;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.millrace.house.planted.doors.Shows;
import dev.millrace.house.planted.doors.internal.Hidden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class DoorsTest {
  /// What is for the project itself, and sees the engine: commands, measurements, and the
  /// simulation in the testkit with its disk.
  private static final Set<String> OWN_MODULES = Set.of("cli", "benchmarks", "benchmarks/micro");

  private static final List<String> OWN_PACKAGES =
      List.of("dev.millrace.testkit.sim", "dev.millrace.testkit.disk");

  private final Reactor reactor = Reactor.find();

  @Test
  void noSignatureForUsersNamesAnInternalType() {
    Set<String> found = new TreeSet<>();
    CompiledModules.read()
        .ofModules()
        .forEach((module, classes) -> {
          if (!OWN_MODULES.contains(module)) {
            found.addAll(Doors.violations(classes.that(areForUsers())));
          }
        });
    assertEquals("", String.join("\n", found));
  }

  private static DescribedPredicate<JavaClass> areForUsers() {
    return DescribedPredicate.describe(
        "are for users", type -> !OWN_PACKAGES.contains(type.getPackageName()));
  }

  @Test
  void aSignatureThatNamesAnInternalTypeIsReported() {
    JavaClasses planted = new ClassFileImporter().importClasses(Shows.class, Hidden.class);

    List<String> found = Doors.violations(planted);

    for (String member : List.of("returned", "taken", "inside", "inherited", "field", "<init>")) {
      assertTrue(found.stream().anyMatch(each -> each.contains(member)), member + " of " + found);
    }
    assertFalse(found.stream().anyMatch(each -> each.contains("unseen")), found.toString());
    assertTrue(found.stream().anyMatch(each -> each.startsWith(Shows.class.getName() + " names")));
  }

  @Test
  void whatUsersReadImportsNothingInternal() throws IOException {
    List<String> found = new ArrayList<>();
    List<Path> read = new ArrayList<>();
    for (Path file : SourceTree.javaFiles(reactor.root())) {
      if (reactor.shown(file).startsWith("examples/src/main/")) {
        read.add(file);
      }
    }
    for (String directory :
        List.of("cli/src/main/resources/dev/millrace/cli/starter", "docs/cookbook", "docs/guide")) {
      try (var files = Files.walk(reactor.root().resolve(directory))) {
        files.filter(Files::isRegularFile).forEach(read::add);
      }
    }
    for (Path file : read) {
      if (Files.readString(file).contains("import dev.millrace.internal.")) {
        found.add(reactor.shown(file));
      }
    }
    assertTrue(read.size() > 40, read.toString());
    assertEquals(List.of(), found);
  }
}
