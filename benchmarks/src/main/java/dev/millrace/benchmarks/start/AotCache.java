package dev.millrace.benchmarks.start;

import java.lang.management.ManagementFactory;
import java.util.List;

/// The AOT cache that the launcher has given to this process, if it has: the JVMs that this process
/// starts can be given it too, as they have the same class path.
///
/// @param given the options that were
public record AotCache(List<String> given) {
  private static final String FILE = "-XX:AOTCache=";

  public AotCache {
    given = List.copyOf(given);
  }

  public static AotCache ofThisProcess() {
    return new AotCache(
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(option -> option.startsWith(FILE) || option.startsWith("-Xlog:aot"))
            .toList());
  }

  boolean exists() {
    return given.stream().anyMatch(option -> option.startsWith(FILE));
  }

  /// Options of a JVM that has the cache, or none. The JDK's own archive of its classes is always
  /// there.
  List<String> options(boolean wanted) {
    return wanted ? given : List.of();
  }
}
