package dev.millrace.config;

import dev.millrace.internal.kafka.client.NearestName;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Finds the name that somebody may have meant.
final class Suggestion {
  private Suggestion() {}

  /// Returns what ends the message about an unknown name: the nearest known one, as its giver would
  /// write it, or nothing if none is near.
  static String of(Given given, Set<String> known) {
    String successor = Settings.SUCCESSORS.get(given.key());
    if (successor != null) {
      return "; it is a part of '%s' now.".formatted(successor);
    }
    List<String> names = new ArrayList<>(known);
    boolean isFlag = given.name().startsWith("--");
    boolean isVariable = !isFlag && !given.name().equals(given.key());
    if (isFlag) {
      names = new ArrayList<>(known.stream().map(key -> "--" + key).toList());
      Settings.ALL.stream().map(Setting::flag).filter(flag -> !flag.isEmpty()).forEach(names::add);
    } else if (isVariable) {
      names = known.stream().map(Environment::variable).toList();
    }
    return NearestName.of(given.name(), names)
        .map(near -> "; did you mean '" + near + "'?")
        .orElse("; 'millrace config' lists all there are.");
  }
}
