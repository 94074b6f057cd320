package dev.millrace.house;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.util.Set;
import java.util.TreeMap;

/// Counts what an author of an application finds in the packages that applications name.
final class ApiSize {
  private ApiSize() {}

  /// Returns the public methods that each public top-level type of the packages declares, by the
  /// type's simple name.
  static TreeMap<String, Integer> methodsOfTypes(JavaClasses classes, Set<String> packages) {
    TreeMap<String, Integer> methods = new TreeMap<>();
    for (JavaClass type : classes) {
      if (packages.contains(type.getPackageName())
          && type.isTopLevelClass()
          && type.getModifiers().contains(JavaModifier.PUBLIC)
          && !type.getSimpleName().equals("package-info")) {
        methods.put(type.getSimpleName(), publicMethods(type));
      }
    }
    return methods;
  }

  /// Returns how many public methods a type declares, without those that the compiler adds.
  private static int publicMethods(JavaClass type) {
    return (int)
        type.getMethods().stream()
            .map(method -> method.getModifiers())
            .filter(modifiers -> modifiers.contains(JavaModifier.PUBLIC))
            .filter(modifiers -> !modifiers.contains(JavaModifier.SYNTHETIC))
            .count();
  }
}
