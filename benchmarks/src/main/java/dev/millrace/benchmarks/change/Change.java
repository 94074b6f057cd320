package dev.millrace.benchmarks.change;

import java.util.Locale;

/// What is changed between a stop and a start.
public enum Change {
  NONE("none"),
  ADD_OPERATOR("an operator is added"),
  ADD_FIELD("a field is added"),
  RENAME_OPERATOR("the operator is renamed"),
  WIDEN_FIELD("a field is widened"),
  REMOVE_OPERATOR("an operator is removed"),
  ROLLING("a field is added, one of 2 containers after the other");

  private final String words;

  Change(String words) {
    this.words = words;
  }

  String words() {
    return words;
  }

  /// Returns the name under which programs find it: `add-field`.
  String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
