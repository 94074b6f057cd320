package dev.millrace.examples.crash;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/// Where a process says what it does, a line an event: time in milliseconds, thread, event. Every
/// line is handed to the operating system before the next thing is done, so that a kill loses none.
/// The thread that reaches the [Aim] writes no line behind it. Thread-safe.
final class TraceFile {
  private final FileOutputStream out;
  private final long start = System.nanoTime();

  private final Set<Thread> waiting = ConcurrentHashMap.newKeySet();
  private final Aim.Watch watch;

  TraceFile(Path file, Aim aim) {
    watch = aim.new Watch();
    try {
      out = new FileOutputStream(file.toFile(), true);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void add(String event) {
    while (waiting.contains(Thread.currentThread())) {
      LockSupport.park(this); // for the kill
    }
    if (write(event)) {
      waiting.add(Thread.currentThread());
    }
  }

  /// @return whether this is what was aimed at
  private synchronized boolean write(String event) {
    String line =
        "%d|%s|%s%n"
            .formatted(
                (System.nanoTime() - start) / 1_000_000, Thread.currentThread().getName(), event);
    try {
      out.write(line.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return watch.isHitBy(event);
  }
}
