package dev.millrace;

import dev.millrace.config.MemoryConfig;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// Memory limits of this process, in bytes.
///
/// @param heap the most that the heap will take, `-Xmx`
/// @param limit the most that the process may take altogether: that of its container, or the memory
///   of the machine, or less if so configured
record ProcessMemory(long heap, long limit) {
  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String RESIDENT = "VmRSS:";

  /// Returns the limits that the JVM detects, which considers those of a container.
  static ProcessMemory of(MemoryConfig config) {
    long limit = Long.MAX_VALUE;
    if (ManagementFactory.getOperatingSystemMXBean()
        instanceof com.sun.management.OperatingSystemMXBean system) {
      limit = system.getTotalMemorySize();
    }
    Long asked = config.limit();
    return new ProcessMemory(
        Runtime.getRuntime().maxMemory(), asked == null ? limit : Math.min(asked, limit));
  }

  /// Buffers outside the heap that the JVM knows of: of sockets and of reading and writing state.
  static long direct() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  /// Returns the memory that the process has now; -1 where the system does not say.
  static long resident() {
    if (!Files.exists(STATUS)) {
      return -1;
    }
    try (Stream<String> lines = Files.lines(STATUS)) {
      return lines
          .filter(line -> line.startsWith(RESIDENT))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
          .findFirst()
          .orElse(-1);
    } catch (IOException e) {
      return -1; // a gauge less
    }
  }
}
