package dev.millrace.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Reads settings from variables: `MILLRACE_A_B` is `a.b`.
final class Environment {
  private static final String PREFIX = "MILLRACE_";

  /// Variables of the launcher and of its build, which are no settings.
  private static final Set<String> NOT_SETTINGS =
      Set.of("MILLRACE_JAVA", "MILLRACE_JAVA_HOME", "MILLRACE_JAVA_OPTS", "MILLRACE_JDK_ROOT");

  private Environment() {}

  static List<Given> read(Map<String, String> variables) {
    List<Given> found = new ArrayList<>();
    new TreeMap<>(variables)
        .forEach((name, value) -> {
          if (name.startsWith(PREFIX) && !NOT_SETTINGS.contains(name) && !isService(name)) {
            found.add(new Given(key(name), name, value, "variable " + name));
          }
        });
    return found;
  }

  /// Kubernetes describes a service that is called millrace by such variables.
  private static boolean isService(String name) {
    return name.startsWith(PREFIX + "SERVICE_")
        || name.equals(PREFIX + "PORT")
        || name.startsWith(PREFIX + "PORT_");
  }

  /// Returns the key of the setting that has this variable, or else what the variable's name says.
  private static String key(String name) {
    return Settings.ALL.stream()
        .map(Setting::key)
        .filter(key -> variable(key).equals(name))
        .findFirst()
        .orElse(name.substring(PREFIX.length()).toLowerCase(Locale.ROOT).replace('_', '.'));
  }

  /// Returns the variable of a setting.
  static String variable(String key) {
    return PREFIX + key.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
  }
}
