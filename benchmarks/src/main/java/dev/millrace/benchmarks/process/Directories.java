package dev.millrace.benchmarks.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/// Removes what benchmarks leave.
public final class Directories {
  private Directories() {}

  /// Removes a directory with all that is in it; nothing if there is none.
  public static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  /// Returns the bytes of all files below a directory that nobody changes; 0 if there is none.
  public static long bytes(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return 0;
    }
    long bytes = 0;
    try (Stream<Path> all = Files.walk(directory)) {
      for (Path path : all.filter(Files::isRegularFile).toList()) {
        bytes += Files.size(path);
      }
    }
    return bytes;
  }
}
