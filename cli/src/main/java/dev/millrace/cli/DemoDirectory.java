package dev.millrace.cli;

import dev.millrace.ExitCode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The directory of the demonstration, with Kafka's data and the state of the job.
record DemoDirectory(Path path) {
  private static final String BROKER_LOCK = "broker.lock";
  private static final String STATE_LOCK = "LOCK";
  private static final Set<String> KAFKA = Set.of(BROKER_LOCK, "kafka");

  /// Names of files that the runtime creates in an application's home; and those of the former
  /// layout, with a directory for each container.
  private static final Pattern OF_HOME =
      Pattern.compile(
          "LOCK|OWNER(\\.new)?|home\\.id(\\.new)?|locks|native|tasks"
              + "|container-[0-9]+(\\.id)?|id[0-9]+\\.new");

  /// Returns the directory a person asked for, or else `millrace-data/demo` in the working copy
  /// that the launcher belongs to, or in the current directory.
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
  ///
  /// @throws UserException if it is in use, or one of the directories is not of a demonstration;
  ///   nothing is removed then
  void reset() {
    try {
      requireOurs(kafka(), isKafka());
      requireOurs(state(), isState());
      for (Path lock : locks()) {
        requireUnused(lock);
      }
      remove(kafka());
      remove(state());
    } catch (IOException e) {
      throw new UserException(
          ExitCode.FAILED, "The data in %s cannot be removed: %s".formatted(path, e));
    }
  }

  private static void requireOurs(Path directory, boolean ours) {
    if (!ours) {
      throw new UserException(
          ExitCode.USAGE,
          "%s was not written by 'millrace demo', so it is not removed. Choose another directory with --data, or move the file away."
              .formatted(directory));
    }
  }

  /// Returns whether there is nothing, or the lock of an embedded broker with its log directory
  /// alone.
  private boolean isKafka() throws IOException {
    List<Path> inside = children(kafka());
    return isAbsent(kafka())
        || Files.isDirectory(kafka(), LinkOption.NOFOLLOW_LINKS)
            && inside.stream().allMatch(file -> KAFKA.contains(name(file)))
            && (inside.isEmpty() || inside.contains(kafka().resolve(BROKER_LOCK)));
  }

  /// Returns whether there is nothing, or homes of applications alone.
  private boolean isState() throws IOException {
    if (isAbsent(state())) {
      return true;
    }
    for (Path application : children(state())) {
      List<Path> inside = children(application);
      if (inside.stream().noneMatch(file -> name(file).endsWith(".id"))
          || !inside.stream().allMatch(file -> OF_HOME.matcher(name(file)).matches())) {
        return false;
      }
    }
    return Files.isDirectory(state(), LinkOption.NOFOLLOW_LINKS);
  }

  private List<Path> locks() throws IOException {
    List<Path> locks = new ArrayList<>(List.of(kafka().resolve(BROKER_LOCK)));
    for (Path application : children(state())) {
      locks.add(application.resolve(STATE_LOCK));
      children(application).forEach(container -> locks.add(container.resolve(STATE_LOCK)));
    }
    locks.removeIf(lock -> !Files.isRegularFile(lock, LinkOption.NOFOLLOW_LINKS));
    return locks;
  }

  private static boolean isAbsent(Path path) {
    return !Files.exists(path, LinkOption.NOFOLLOW_LINKS);
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }

  private static List<Path> children(Path directory) throws IOException {
    if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  private void requireUnused(Path lockFile) throws IOException {
    try (FileChannel channel =
        FileChannel.open(lockFile, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      if (isHeld(channel)) {
        throw new UserException(
            ExitCode.USAGE,
            "The data in %s is in use: %s is locked. Stop the process that uses it, or choose another directory with --data."
                .formatted(path, lockFile));
      }
    }
  }

  private static boolean isHeld(FileChannel channel) throws IOException {
    try (FileLock lock = channel.tryLock()) {
      return lock == null;
    } catch (OverlappingFileLockException _) {
      return true; // by this very process
    }
  }

  private static void remove(Path directory) throws IOException {
    if (isAbsent(directory)) {
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
