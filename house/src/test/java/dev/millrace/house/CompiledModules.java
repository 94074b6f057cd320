package dev.millrace.house;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/// The compiled main classes of the modules that have main sources, read once for all tests.
///
/// @param ofModules the classes of each module
/// @param all the classes of all modules
record CompiledModules(Map<String, JavaClasses> ofModules, JavaClasses all) {

  static CompiledModules read() {
    return Holder.READ;
  }

  private static CompiledModules read(Reactor reactor) {
    Map<String, Path> directories = new TreeMap<>();
    for (Reactor.Module module : reactor.modules()) {
      if (!module.mainSources().isEmpty()) {
        if (!Files.isDirectory(module.classes())) {
          throw new IllegalStateException(module.name() + " is not compiled");
        }
        directories.put(module.name(), module.classes());
      }
    }
    JavaClasses all = new ClassFileImporter().importPaths(directories.values());
    Map<String, JavaClasses> ofModules = new TreeMap<>();
    directories.forEach((module, classes) -> ofModules.put(module, all.that(areIn(classes))));
    return new CompiledModules(ofModules, all);
  }

  private static DescribedPredicate<JavaClass> areIn(Path directory) {
    String start = directory.toUri().toString();
    return DescribedPredicate.describe(
        "are in " + directory,
        type ->
            type.getSource()
                .filter(source -> source.getUri().toString().startsWith(start))
                .isPresent());
  }

  /// Of its own, so that only tests that need them read them.
  private static final class Holder {
    static final CompiledModules READ = read(Reactor.find());
  }
}
