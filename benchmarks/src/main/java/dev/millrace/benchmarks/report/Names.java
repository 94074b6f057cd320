package dev.millrace.benchmarks.report;

import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/// The constants of an enum under the names that they are asked for by, such as `per-update`.
public final class Names {
  private Names() {}

  public static String of(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// Those with some names, each once; all if none are named.
  ///
  /// @throws IllegalArgumentException that names those there are
  public static <E extends Enum<E>> List<E> asked(Class<E> type, List<String> names) {
    List<E> all = List.copyOf(EnumSet.allOf(type));
    return names.isEmpty() ? all : names.stream().distinct().map(name -> named(all, name)).toList();
  }

  private static <E extends Enum<E>> E named(List<E> all, String name) {
    return all.stream()
        .filter(each -> of(each).equals(name))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "There is no '%s'; there are %s."
                    .formatted(
                        name, all.stream().map(Names::of).collect(Collectors.joining(", ")))));
  }
}
