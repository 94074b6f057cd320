package dev.millrace.examples.crash;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/// A file system in memory of a size that soon is full. It is mounted in a name space of its own,
/// for which `unshare` is needed and no right. A process that is to use it is begun [#inside]; from
/// outside its files are reached through the process that holds it, but under a name that ceases to
/// be true when its links are followed.
final class SmallFileSystem implements AutoCloseable {
  private static final byte[] ZEROS = new byte[4096];
  private static final int MUCH = 1 << 20;

  private final Process holder;
  private final Path on;
  private final Path fromOutside;
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
    this.on = on.toAbsolutePath();
    fromOutside = Path.of("/proc/" + holder.pid() + "/root" + this.on);
    ballast = fromOutside.resolve("ballast");
  }

  /// What to put before a command so that it finds the file system.
  List<String> inside() {
    return List.of("nsenter", "--target", Long.toString(holder.pid()), "--user", "--mount");
  }

  /// Where it is for commands that run inside.
  Path path() {
    return on;
  }

  /// Fills it up, whatever others write meanwhile. What they delete later leaves room, until this
  /// is called again.
  ///
  /// @param bytes what is left, about
  void fillExcept(long bytes) throws IOException {
    FileStore store = Files.getFileStore(fromOutside);
    OutputStream out =
        Files.newOutputStream(ballast, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    try (out) {
      while (store.getUsableSpace() >= bytes + ZEROS.length) {
        out.write(ZEROS);
      }
    } catch (IOException e) {
      if (store.getUsableSpace() > MUCH) {
        throw e;
      } // another has just taken the rest
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
