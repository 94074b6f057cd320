package dev.millrace.benchmarks.change;

import dev.millrace.benchmarks.process.Named;
import java.util.Locale;

/// What is changed between a stop and a start, in the order in which it is done.
public enum Change {
  NONE("none"),
  ADD_OPERATOR("an operator is added"),
  ADD_FIELD("a field is added"),
  RENAME_OPERATOR("the operator is renamed"),
  WIDEN_FIELD("a field is widened"),
  REMOVE_OPERATOR("an operator is removed"),
  ROLLING("a field is added, one of 2 containers after the other"),
  UNMIGRATED("none, before a migration"),
  MIGRATE("values are migrated, with a way back"),
  ROLL_BACK("the change before is rolled back"),
  MIGRATE_AGAIN("values are migrated with a way back, and it is finalized"),
  MIGRATE_ONE_WAY("values are migrated, without a way back");

  private final String words;

  Change(String words) {
    this.words = words;
  }

  String words() {
    return words;
  }

  /// Returns the name under which programs find it: `add-field`.
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// The one with an id.
  ///
  /// @throws IllegalArgumentException that names those there are
  public static Change of(String id) {
    return Named.of("change", id, values(), Change::id);
  }

  /// Returns whether the program stays the same.
  boolean isUnchanged() {
    return this == NONE || this == UNMIGRATED;
  }

  /// Returns whether a stop and a start without a change come right before, to compare with.
  boolean isBesideUnchanged() {
    return compareTo(ROLLING) < 0 && this != NONE;
  }

  /// Returns whether work is measured behind it: what a migration costs while records come in.
  boolean isBesideWork() {
    return compareTo(ROLLING) > 0;
  }
}
