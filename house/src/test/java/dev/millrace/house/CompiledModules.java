package dev.millrace.house;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Files;
import java.util.Map;
import java.util.TreeMap;

/// The compiled main classes of the modules that have main sources.
final class CompiledModules {
  private CompiledModules() {}

  static Map<String, JavaClasses> read(Reactor reactor) {
    Map<String, JavaClasses> classes = new TreeMap<>();
    for (Reactor.Module module : reactor.modules()) {
      if (!module.mainSources().isEmpty()) {
        if (!Files.isDirectory(module.classes())) {
          throw new IllegalStateException(module.name() + " is not compiled");
        }
        classes.put(module.name(), new ClassFileImporter().importPath(module.classes()));
      }
    }
    return classes;
  }
}
