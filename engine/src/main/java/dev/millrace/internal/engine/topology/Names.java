package dev.millrace.internal.engine.topology;

import dev.millrace.api.InvalidTopologyException;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/// The names an application has given, each once. They become names of topics and directories,
/// hence what they may look like: lower-case letters, digits and `-`, at most 100 of them, a letter
/// or digit first.
public final class Names {
  private static final Pattern ALLOWED = Pattern.compile("[a-z0-9][a-z0-9-]{0,99}");

  private final Map<String, String> operators = new HashMap<>();
  private final Map<String, String> stores = new HashMap<>();

  /// Checks the look of a name.
  ///
  /// @param owner what is named so, as the message begins: `count`
  public static void check(String owner, String name) {
    if (!ALLOWED.matcher(name).matches()) {
      throw new InvalidTopologyException(
          "%s cannot be called '%s': a name has 1 to 100 lower-case letters, digits and '-', and does not begin with '-'."
              .formatted(owner, name));
    }
  }

  /// Takes a name for an operator or an exchange.
  void takeOperator(String kind, String name) {
    check(kind, name);
    String other = operators.putIfAbsent(name, kind);
    if (other != null) {
      throw new InvalidTopologyException(
          "The name '%s' is given to %s and to %s. Give each a name of its own."
              .formatted(name, other, kind));
    }
  }

  /// Takes a name for a store.
  ///
  /// @param owner the operator that has it: `process 'dedup'`
  void takeStore(String name, String owner) {
    String other = stores.putIfAbsent(name, owner);
    if (other != null) {
      throw new InvalidTopologyException(
          "The store name '%s' is taken by %s and by %s. A store belongs to one operator; give each a name of its own."
              .formatted(name, other, owner));
    }
  }
}
