package dev.millrace.internal.engine.topology;

import dev.millrace.api.InvalidTopologyException;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// What an application calls otherwise than earlier versions of it: operators, and with them their
/// stores and the exchanges of their sides; stores and exchanges by themselves.
///
/// @param names the new names, by the old ones
public record Renames(Map<String, String> names) {
  /// There are none.
  public static final Renames NONE = new Renames(new TreeMap<>());

  /// What the engine appends to the name of an operator to name an exchange that it needs.
  private static final Pattern OF_SIDE = Pattern.compile("-(left|right|back|[0-9]+)");

  public Renames {
    names = Collections.unmodifiableMap(new TreeMap<>(names));
  }

  /// Returns these and one more.
  ///
  /// @throws InvalidTopologyException if the old name has another new one
  Renames and(String was, String is) {
    Names.check("What was '%s'".formatted(was), is);
    Map<String, String> more = new TreeMap<>(names);
    String other = more.put(was, is);
    if (other != null && !other.equals(is)) {
      throw new InvalidTopologyException(
          "'%s' is renamed to '%s' and to '%s'. Rename it once.".formatted(was, other, is));
    }
    return new Renames(more);
  }

  /// Returns what an operator is called that had a name.
  public String operator(String was) {
    return names.getOrDefault(was, was);
  }

  /// Returns what an exchange is called that had a name.
  public String exchange(String was) {
    String exact = names.get(was);
    if (exact != null) {
      return exact;
    }
    for (Map.Entry<String, String> each : names.entrySet()) {
      String rest = rest(was, each.getKey());
      if (OF_SIDE.matcher(rest).matches()) {
        return each.getValue() + rest;
      }
    }
    return was;
  }

  /// Returns what a store is called that had a name.
  ///
  /// @param operator that it belonged to, by its old name
  public String store(String was, String operator) {
    String exact = names.get(was);
    if (exact != null) {
      return exact;
    }
    String owner = names.get(operator);
    String rest = rest(was, operator);
    return owner != null && (was.equals(operator) || rest.startsWith("-")) ? owner + rest : was;
  }

  private static String rest(String name, String begin) {
    return name.startsWith(begin) ? name.substring(begin.length()) : "";
  }
}
