package dev.millrace.examples.crash;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// Where a process says what it does, a line an event: time in milliseconds, thread, event. Every
/// line is handed to the operating system before the next thing is done, so that a kill loses none.
/// Thread-safe.
final class TraceFile {
  private final FileOutputStream out;
  private final long start = System.nanoTime();

  TraceFile(Path file) {
    try {
      out = new FileOutputStream(file.toFile(), true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void add(String event) {
    String line =
        "%d|%s|%s%n"
            .formatted(
                (System.nanoTime() - start) / 1_000_000, Thread.currentThread().getName(), event);
    try {
      out.write(line.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
