package dev.millrace.cli;

import dev.millrace.ExitCode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Where the demonstration keeps what it needs: Kafka's data and the state of the job.
record DemoDirectory(Path path) {

  /// The directory a person asked for, or else `millrace-data/demo` in the working copy that the
  /// launcher belongs to, or in the current directory.
  static DemoDirectory of(@Nullable Path asked) {
    Path home = Path.of(Objects.requireNonNullElse(System.getProperty("millrace.home"), ""));
    Path path = asked == null ? home.resolve("millrace-data").resolve("demo") : asked;
    return new DemoDirectory(path.toAbsolutePath().normalize());
  }

  Path kafka() {
    return path.resolve("kafka");
  }

  Path state() {
    return path.resolve("state");
  }

  /// Removes what earlier demonstrations left, and nothing else.
  void reset() {
    try {
      if (Files.exists(kafka())) {
        requireUnused(kafka().resolve("broker.lock"));
      }
      remove(kafka());
      remove(state());
    } catch (IOException e) {
      throw new UserException(
          ExitCode.FAILED, "The data in %s cannot be removed: %s".formatted(path, e));
    }
  }

  private void requireUnused(Path lockFile) throws IOException {
    try (FileChannel channel =
            FileChannel.open(
                lockFile,
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS);
        FileLock lock = channel.tryLock()) {
      if (lock == null) {
        throw new UserException(
            ExitCode.USAGE,
            "The data in %s is in use by another process. Stop it, or use another directory with --data."
                .formatted(path));
      }
    }
  }

  private static void remove(Path directory) throws IOException {
    if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    List<Path> childrenFirst;
    try (Stream<Path> files = Files.walk(directory)) {
      childrenFirst = files.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : childrenFirst) {
      Files.delete(file);
    }
  }
}
