package dev.millrace.benchmarks.report;

import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Map;

/// What the figures were measured on.
public final class Machine {
  private Machine() {}

  /// Processors, memory and JVM.
  public static Map<String, Object> facts() {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("processors", Runtime.getRuntime().availableProcessors());
    if (ManagementFactory.getOperatingSystemMXBean()
        instanceof com.sun.management.OperatingSystemMXBean system) {
      facts.put("memory GB", Math.round(system.getTotalMemorySize() / 1e9));
    }
    facts.put("jvm", Runtime.version().toString());
    return facts;
  }
}
