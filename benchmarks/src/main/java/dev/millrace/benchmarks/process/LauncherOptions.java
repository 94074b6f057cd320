package dev.millrace.benchmarks.process;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.stream.Collectors;

/// The options by which the launcher makes starts fast, if it has started this process: the JVMs
/// that this one starts can have them too, as they have the same class path.
///
/// @param given those that this process has
public record LauncherOptions(List<String> given) {
  private static final String CACHE = "-XX:AOTCache=";
  private static final List<String> KINDS =
      List.of(CACHE, "-Xlog:aot", "-XX:CompileThresholdScaling=");

  public LauncherOptions {
    given = List.copyOf(given);
  }

  public static LauncherOptions ofThisProcess() {
    return new LauncherOptions(
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(option -> KINDS.stream().anyMatch(option::startsWith))
            .toList());
  }

  public boolean exist() {
    return given.stream().anyMatch(option -> option.startsWith(CACHE));
  }

  /// Those but the cache, each behind a blank.
  public String beside() {
    return given.stream()
        .filter(option -> !option.startsWith(CACHE))
        .map(option -> " " + option)
        .collect(Collectors.joining());
  }

  /// All of them, or none.
  public List<String> options(boolean wanted) {
    return wanted ? given : List.of();
  }
}
