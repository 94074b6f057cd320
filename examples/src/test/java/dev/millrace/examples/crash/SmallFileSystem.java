package dev.millrace.examples.crash;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/// A file system in memory of a size that soon is full. It is mounted in a name space of its own,
/// for which `unshare` is needed and no right; others reach it through the process that holds it.
final class SmallFileSystem implements AutoCloseable {
  private static final byte[] ZEROS = new byte[4096];

  private final Process holder;
  private final Path path;
  private final Path ballast;

  /// @param on an empty directory
  SmallFileSystem(Path on, int megabytes) throws IOException {
    String mount =
        "mount -t tmpfs -o size=%dm tmpfs \"$0\" && echo mounted && exec cat".formatted(megabytes);
    holder =
        new ProcessBuilder(
                List.of(
                    "unshare",
                    "--user",
                    "--map-root-user",
                    "--mount",
                    "sh",
                    "-c",
                    mount,
                    on.toString()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String line = holder.inputReader().readLine();
    if (!"mounted".equals(line)) {
      throw new IllegalStateException("No file system could be mounted on " + on);
    }
    path = Path.of("/proc/" + holder.pid() + "/root" + on.toAbsolutePath());
    ballast = path.resolve("ballast");
  }

  Path path() {
    return path;
  }

  /// Fills it up.
  ///
  /// @param bytes what is left
  void fillExcept(long bytes) throws IOException {
    try (var out = Files.newOutputStream(ballast, StandardOpenOption.CREATE_NEW)) {
      long free = Files.getFileStore(path).getUsableSpace() - bytes;
      for (long written = 0; written + ZEROS.length <= free; written += ZEROS.length) {
        out.write(ZEROS);
      }
    }
  }

  /// Makes room again.
  void free() throws IOException {
    Files.delete(ballast);
  }

  @Override
  public void close() {
    holder.destroyForcibly();
  }
}
