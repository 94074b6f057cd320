package dev.millrace.house;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// A record of settings is made from its defaults: only the record itself names all its components
/// in order. So a new setting touches the record, the definition in `Settings` and its reader.
final class Concerns {
  private Concerns() {}

  /// Returns calls of constructors of such records from elsewhere.
  static List<String> violations(JavaClasses classes) {
    Set<String> found = new TreeSet<>();
    for (JavaClass type : classes) {
      if (isConcern(type)) {
        type.getConstructorCallsToSelf().stream()
            .filter(call -> !call.getOriginOwner().equals(type))
            .forEach(call -> found.add(call.getDescription()));
      }
    }
    return List.copyOf(found);
  }

  /// Whether a class is a record of settings, with defaults, that users have.
  static boolean isConcern(JavaClass type) {
    return type.isRecord()
        && !Doors.isInternal(type)
        && type.getSimpleName().endsWith("Config")
        && type.getMethods().stream().anyMatch(method -> method.getName().equals("defaults"));
  }
}
