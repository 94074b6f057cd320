package dev.millrace.benchmarks.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/// What the system says of a process's memory, in bytes.
///
/// @param now what it has
/// @param most the most it ever had
record Resident(long now, long most) {

  /// @throws IllegalStateException if there is no such process, or the system is not Linux
  static Resident of(long pid) {
    Path status = Path.of("/proc", Long.toString(pid), "status");
    try (Stream<String> lines = Files.lines(status)) {
      long now = -1;
      long most = -1;
      for (String line : lines.toList()) {
        if (line.startsWith("VmRSS:")) {
          now = bytes(line);
        } else if (line.startsWith("VmHWM:")) {
          most = bytes(line);
        }
      }
      if (now < 0 || most < 0) {
        throw new IllegalStateException(status + " does not report the memory of the process.");
      }
      return new Resident(now, most);
    } catch (IOException e) {
      throw new IllegalStateException(status + " cannot be read.", e);
    }
  }

  private static long bytes(String line) {
    return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
  }
}
