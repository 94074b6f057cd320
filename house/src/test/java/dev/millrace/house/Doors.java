package dev.millrace.house;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Public and protected signatures outside `internal` packages name no type of an `internal`
/// package.
final class Doors {
  private Doors() {}

  /// Whether a class is in a package that users do not see.
  static boolean isInternal(JavaClass type) {
    return (type.getPackageName() + ".").contains(".internal.");
  }

  /// What a user can see of classes and must not: each signature with the type that it names.
  static List<String> violations(JavaClasses classes) {
    Set<String> found = new TreeSet<>();
    for (JavaClass type : classes) {
      if (isInternal(type) || !isOpen(type)) {
        continue;
      }
      Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream())
          .forEach(above -> add(found, type.getName(), above));
      for (JavaField field : type.getFields()) {
        if (isOpen(field.getModifiers())) {
          add(found, field.getFullName(), field.getType());
        }
      }
      for (JavaCodeUnit unit : type.getCodeUnits()) {
        if (isOpen(unit.getModifiers()) && !unit.getModifiers().contains(JavaModifier.SYNTHETIC)) {
          add(found, unit.getFullName(), unit.getReturnType());
          unit.getParameterTypes().forEach(each -> add(found, unit.getFullName(), each));
        }
      }
    }
    return List.copyOf(found);
  }

  /// Whether a user's code can name it: it and all types around it are public or protected.
  private static boolean isOpen(JavaClass type) {
    return isOpen(type.getModifiers()) && type.getEnclosingClass().map(Doors::isOpen).orElse(true);
  }

  private static boolean isOpen(Set<JavaModifier> modifiers) {
    return modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED);
  }

  private static void add(Set<String> found, String where, JavaType named) {
    for (JavaClass each : named.getAllInvolvedRawTypes()) {
      if (isInternal(each)) {
        found.add(where + " names " + each.getName());
      }
    }
  }
}
