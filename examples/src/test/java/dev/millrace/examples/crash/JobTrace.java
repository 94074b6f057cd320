package dev.millrace.examples.crash;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Reads the trace of a job's process while it grows.
final class JobTrace {
  private static final long LOOK_NANOS = 300_000;
  private static final long LONGEST_SILENCE_NANOS = 60_000_000_000L;
  private static final long PATIENCE_NANOS = 600_000_000_000L;
  private static final int TOLD = 50;

  record Line(long millis, String thread, String event) {}

  private final Path file;
  private final List<Line> lines = new ArrayList<>();
  private long read;

  JobTrace(Path file) {
    this.file = file;
  }

  /// All lines that are there by now.
  List<Line> lines() {
    readOn();
    return lines;
  }

  long count(String event) {
    return lines().stream().filter(line -> line.event().equals(event)).count();
  }

  private void readOn() {
    if (!Files.exists(file)) {
      return;
    }
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      if (in.length() == read) {
        return;
      }
      byte[] bytes = new byte[(int) (in.length() - read)];
      in.seek(read);
      in.readFully(bytes);
      String text = new String(bytes, StandardCharsets.UTF_8);
      int end = text.lastIndexOf('\n') + 1;
      read += text.substring(0, end).getBytes(StandardCharsets.UTF_8).length;
      for (String line : text.substring(0, end).lines().toList()) {
        String[] parts = line.split("\\|", 3);
        lines.add(new Line(Long.parseLong(parts[0]), parts[1], parts[2]));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Waits as long as there are new lines, within reason.
  ///
  /// @return whether the condition came true while it could
  boolean await(BooleanSupplier condition, BooleanSupplier goesOn) {
    long start = System.nanoTime();
    long heard = start;
    int known = lines.size();
    while (System.nanoTime() - heard < LONGEST_SILENCE_NANOS
        && System.nanoTime() - start < PATIENCE_NANOS) {
      boolean last = !goesOn.getAsBoolean();
      if (condition.getAsBoolean()) {
        return true;
      }
      if (last) {
        return false;
      }
      if (lines.size() > known) {
        known = lines.size();
        heard = System.nanoTime();
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
    throw new AssertionError(
        "What is waited for does not happen in %s. The last %d of %d lines: %s"
            .formatted(
                file,
                Math.min(TOLD, lines.size()),
                lines.size(),
                lines.subList(Math.max(0, lines.size() - TOLD), lines.size())));
  }
}
