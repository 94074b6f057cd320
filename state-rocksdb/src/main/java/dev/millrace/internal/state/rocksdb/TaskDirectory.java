package dev.millrace.internal.state.rocksdb;

import dev.millrace.internal.state.local.PrivateFiles;
import dev.millrace.internal.state.local.TaskName;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The directory of a task's state, which is created and deleted atomically.
final class TaskDirectory {
  private static final String DATABASE = "db";
  private static final String INGEST = "ingest";

  /// A dot is in no task's name.
  private static final String BEING_BUILT = ".new-";

  private static final String BEING_WIPED = ".wiped-";
  private static final String STAGE = ".stage-";
  private static final String IMAGE = ".image-";
  private static final String CURRENT = "CURRENT";
  private static final AtomicLong IMAGES = new AtomicLong();

  private static final Pattern MISSING_FILE =
      Pattern.compile("/(\\d+\\.sst): No such file or directory");

  private final Path tasks;
  private final String task;
  private final String user;

  /// @param tasks the directory that has one directory a task
  /// @param user tells images that are in use from those that others have left
  TaskDirectory(Path tasks, String task, String user) {
    this.tasks = tasks;
    this.task = task;
    this.user = user;
  }

  Path path() {
    return tasks.resolve(task);
  }

  Path database() {
    return path().resolve(DATABASE);
  }

  Path ingest() {
    return path().resolve(INGEST);
  }

  /// Prepares the directory for its database to be opened, and creates both if there are none.
  ///
  /// @param createDatabase creates an empty database at the path given
  /// @param writtenBy what creates it
  void prepare(Consumer<Path> createDatabase, String writtenBy) {
    if (!Files.exists(path(), LinkOption.NOFOLLOW_LINKS)) {
      create(createDatabase, writtenBy);
    }
    PrivateFiles.requireNoLinks(path());
    FormatFile.check(path());
    PrivateFiles.createDirectory(ingest());
  }

  /// Restores a file that RocksDB loses when the sync of its manifest fails during an ingest: it
  /// deletes the run's file from the database, although the manifest may already name it, so that
  /// the database cannot be opened any more. The run still has the name under which it was built,
  /// so it is put back. RocksDB checks that it is the right file, because its manifest has the
  /// identity of each file.
  ///
  /// @param message of the failure to open the database
  /// @return whether it is worth trying again
  boolean bringBackLastRun(String message) {
    Matcher missing = MISSING_FILE.matcher(message);
    if (!missing.find()) {
      return false;
    }
    try (Stream<Path> runs = Files.list(ingest())) {
      Optional<Path> last = runs.max(Comparator.naturalOrder());
      Path file = database().resolve(Objects.requireNonNull(missing.group(1)));
      if (last.isEmpty() || Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
        return false;
      }
      Files.createLink(file, last.get());
    } catch (IOException e) {
      throw PrivateFiles.failure("could not be put back into the database", ingest(), e);
    }
    PrivateFiles.syncNames(database());
    return true;
  }

  /// Deletes the files that ingests have left; only when the database was opened without them.
  void emptyIngest() {
    PrivateFiles.deleteTree(ingest());
    PrivateFiles.createDirectory(ingest());
  }

  /// Returns the path where the files that are to become the directory are collected.
  Path stage() {
    return tasks.resolve(STAGE + task);
  }

  Path stagedDatabase() {
    return stage().resolve(DATABASE);
  }

  void createStage() {
    PrivateFiles.createDirectory(stage());
    PrivateFiles.createDirectory(stagedDatabase());
    PrivateFiles.requireNoLinks(stage());
  }

  /// Makes the collected files the directory.
  void publishStage() {
    FormatFile.check(stage());
    Path current = stagedDatabase().resolve(CURRENT);
    if (!Files.isRegularFile(current, LinkOption.NOFOLLOW_LINKS)) {
      throw RocksFailure.corrupt(current, "is missing", null);
    }
    PrivateFiles.syncNames(stagedDatabase());
    PrivateFiles.syncNames(stage());
    removePresent();
    rename(stage(), path());
    createStage();
  }

  void deleteStage() {
    PrivateFiles.deleteTree(stage());
  }

  void deleteStageIfEmpty() {
    try (Stream<Path> gathered = Files.walk(stage())) {
      if (gathered.allMatch(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))) {
        deleteStage();
      }
    } catch (IOException e) {
      throw PrivateFiles.failure("could not be listed", stage(), e);
    }
  }

  /// Returns the path of a new image. An image of a disk that was closed may still be read, so no
  /// name is used twice.
  Path newImage() {
    return tasks.resolve(imagePrefix() + IMAGES.incrementAndGet());
  }

  Path format() {
    return path().resolve(FormatFile.NAME);
  }

  /// Removes the directory, if there is one, and the stage.
  void wipe() {
    removePresent();
    deleteStage();
  }

  private void removePresent() {
    if (Files.exists(path(), LinkOption.NOFOLLOW_LINKS)) {
      Path wiped = tasks.resolve(BEING_WIPED + task);
      PrivateFiles.deleteTree(wiped);
      rename(path(), wiped);
      PrivateFiles.deleteTree(wiped);
    }
  }

  /// Returns the size of the files of the directory and the stage, as far as that can be seen while
  /// they are written.
  long fileBytes() {
    return fileBytes(path()) + fileBytes(stage());
  }

  private static long fileBytes(Path directory) {
    long[] sum = {0};
    try {
      Files.walkFileTree(
          directory,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
              sum[0] += attributes.size();
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
              return FileVisitResult.CONTINUE; // it is not there, or was removed meanwhile
            }
          });
    } catch (IOException _) {
      return sum[0]; // a directory was removed meanwhile
    }
    return sum[0];
  }

  /// Deletes what others have left half built or half wiped, and their images. What was gathered in
  /// the stage stays. The task must be held.
  void deleteLeftovers() {
    for (String leftover : leftovers(tasks)) {
      if (task.equals(taskOf(leftover)) && !leftover.startsWith(imagePrefix())) {
        PrivateFiles.deleteTree(tasks.resolve(leftover));
      }
    }
  }

  /// Returns the tasks of which a process has left something behind, or is making something now.
  static SortedSet<String> tasksWithLeftovers(Path tasks) {
    SortedSet<String> found = new TreeSet<>();
    for (String leftover : leftovers(tasks)) {
      String task = taskOf(leftover);
      if (task != null) {
        found.add(task);
      }
    }
    return found;
  }

  private static List<String> leftovers(Path tasks) {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> leftovers = Files.newDirectoryStream(tasks, ".*")) {
      leftovers.forEach(leftover -> names.add(tasks.relativize(leftover).toString()));
    } catch (IOException e) {
      throw PrivateFiles.failure("could not be listed", tasks, e);
    }
    return names;
  }

  /// @return null for what is not to be deleted
  private static @Nullable String taskOf(String leftover) {
    for (String prefix : List.of(BEING_BUILT, BEING_WIPED, IMAGE)) {
      if (leftover.startsWith(prefix)) {
        String rest = leftover.substring(prefix.length());
        int dot = rest.indexOf('.');
        String task = dot < 0 ? rest : rest.substring(0, dot);
        return TaskName.isName(task) ? task : null;
      }
    }
    return null;
  }

  private String imagePrefix() {
    return IMAGE + task + "." + user + ".";
  }

  private void create(Consumer<Path> createDatabase, String writtenBy) {
    Path built = tasks.resolve(BEING_BUILT + task);
    PrivateFiles.deleteTree(built);
    PrivateFiles.createDirectory(built);
    PrivateFiles.createDirectory(built.resolve(DATABASE));
    createDatabase.accept(built.resolve(DATABASE));
    FormatFile.write(built, writtenBy);
    PrivateFiles.syncNames(built);
    rename(built, path());
  }

  private void rename(Path from, Path to) {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw PrivateFiles.failure("could not be renamed to " + to.getFileName(), from, e);
    }
    PrivateFiles.syncNames(tasks);
  }
}
