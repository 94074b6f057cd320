package dev.millrace.benchmarks.process;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;
import java.util.stream.Stream;

/// The system's cache of files, filled as it is where a broker has been running for a while.
///
/// There each page that is written takes the place of an old one. On a machine that was just
/// started, or whose files were just deleted, it takes free memory instead; and a virtual machine
/// that gives free memory back to its host gets each such page anew from it. On the one that the
/// figures are of, `dd` then writes 0.43 GB a second instead of 2.3. All engines pay that, and the
/// faster ones look slower for it.
///
/// What it is filled with is a file without blocks on disk, read from one end to the other.
public final class PageCache implements AutoCloseable {
  /// Of the memory, what the system itself keeps free at about.
  private static final long FREE_SHARE = 32;

  private static final Path MEMORY = Path.of("/proc/meminfo");
  private static final int READ_BYTES = 1 << 20;
  private static final int READS_A_LOOK = 64;

  private final Path file;
  private final FileChannel channel;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(READ_BYTES);
  private final long totalBytes;
  private long position;

  /// @param directory for the file, which takes no space there
  public PageCache(Path directory) throws IOException {
    totalBytes = bytes("MemTotal");
    file = directory.resolve("page-cache");
    channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    if (totalBytes > 0) {
      channel.write(ByteBuffer.allocate(1), totalBytes - 1);
    }
  }

  /// Reads until hardly any memory is free, or the file has as many bytes as there are of memory.
  /// Nothing where the system does not say how much is free.
  public void fill(Consumer<String> progress) throws IOException {
    long read = 0;
    while (read < totalBytes) {
      long free = bytes("MemFree");
      if (free < totalBytes / FREE_SHARE) {
        return;
      }
      progress.accept("Filling the page cache: %,d MB are free".formatted(free >> 20));
      for (int i = 0; i < READS_A_LOOK; i++) {
        read += read();
      }
    }
  }

  /// What was read longest ago is gone first, so going round and round finds what is gone.
  private long read() throws IOException {
    if (position >= totalBytes) {
      position = 0;
    }
    buffer.clear();
    int read = channel.read(buffer, position);
    position += read;
    return read;
  }

  private static long bytes(String what) throws IOException {
    if (!Files.exists(MEMORY)) {
      return 0;
    }
    try (Stream<String> lines = Files.lines(MEMORY)) {
      return lines
          .filter(line -> line.startsWith(what + ":"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
          .findFirst()
          .orElse(0);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
    Files.deleteIfExists(file);
  }
}
