package dev.millrace.benchmarks.process;

import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;

/// What users ask for by its id.
public final class Named {
  private Named() {}

  /// The one with an id.
  ///
  /// @param kind of all of them, in messages: `engine`
  /// @throws IllegalArgumentException that names those there are
  public static <T> T of(String kind, String id, T[] all, Function<T, String> ids) {
    return Arrays.stream(all)
        .filter(each -> ids.apply(each).equals(id))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "There is no %s '%s'; there are %s."
                    .formatted(
                        kind, id, Arrays.stream(all).map(ids).collect(Collectors.joining(", ")))));
  }
}
