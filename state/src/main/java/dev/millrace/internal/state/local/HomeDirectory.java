package dev.millrace.internal.state.local;

import dev.millrace.spi.DiskException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A home: the directory of an application's state on one volume, which all of its processes on the
/// host share. It has a directory for each task's state, and a lock for each task, so that a task
/// goes from one process to another without its neighbours.
///
/// | name | what it is |
/// |---|---|
/// | `LOCK` | shared by every process that uses the home; who removes the home has it alone |
/// | `locks/` | a file for everything that one process has at a time; none is ever deleted |
/// | `tasks/TASK/` | the state of a task |
/// | `native/` | a library that was unpacked |
/// | `home.id` | the id of this home, which no other one has |
/// | `OWNER` | whose state it is, see [OwnerFile] |
///
/// Thread-safe.
public final class HomeDirectory implements AutoCloseable {
  /// The file with the id of the home.
  public static final String ID = "home.id";

  /// The directory that has a directory for each task's state.
  public static final String TASKS = "tasks";

  /// The directory of the locks.
  public static final String LOCKS = "locks";

  /// The directory for libraries.
  public static final String NATIVE = "native";

  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private final StateDirectory directory;

  private HomeDirectory(StateDirectory directory) {
    this.directory = directory;
  }

  /// Takes a home together with the other processes that use it. It is created if need be, with the
  /// directories in it, and made private to its owner.
  ///
  /// @throws DiskException of kind `IN_USE` if somebody is about to remove it
  public static HomeDirectory share(Path path) {
    HomeDirectory home = new HomeDirectory(StateDirectory.share(path));
    boolean complete = false;
    try {
      PrivateFiles.createDirectory(home.path().resolve(LOCKS));
      PrivateFiles.createDirectory(home.tasks());
      PrivateFiles.createDirectory(home.libraries());
      complete = true;
      return home;
    } finally {
      if (!complete) {
        home.close();
      }
    }
  }

  /// Returns the home's directory, absolute.
  public Path path() {
    return directory.path();
  }

  /// Returns the directory that has a directory for each task's state.
  public Path tasks() {
    return path().resolve(TASKS);
  }

  /// Returns the directory for libraries.
  public Path libraries() {
    return path().resolve(NATIVE);
  }

  /// Returns the tasks that have a directory, in order. Their locks are not asked for.
  public SortedSet<String> stored() {
    try (Stream<Path> found = Files.list(tasks())) {
      return Collections.unmodifiableSortedSet(
          found
              .filter(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
              .map(path -> tasks().relativize(path).toString())
              .filter(TaskName::isName)
              .collect(Collectors.toCollection(TreeSet::new)));
    } catch (IOException e) {
      throw PrivateFiles.failure("could not be listed", tasks(), e);
    }
  }

  /// Takes a task's state, for this process alone.
  ///
  /// @param patience how long to wait for a process that is about to give it up
  /// @throws DiskException of kind `IN_USE`, naming the holder, if another process has it
  public LockFile holdTask(String task, Duration patience) {
    return LockFile.hold(
        lock("task-" + TaskName.check(task)), tasks().resolve(task).toString(), patience);
  }

  /// Takes a place by its number, for this process alone: whoever has it knows that the process
  /// that had it before has ended.
  ///
  /// @throws DiskException of kind `IN_USE`, naming the holder, if another process has it
  public LockFile holdContainer(int container) {
    return LockFile.hold(
        lock("container-" + container), "container %d in %s".formatted(container, path()));
  }

  /// Takes what belongs to the home and to no task, for this process alone. It is held shortly, so
  /// this waits for its holder.
  ///
  /// @throws DiskException of kind `IN_USE`, naming the holder, if another process keeps it
  public LockFile holdFiles() {
    return LockFile.hold(lock("home"), path().toString(), PATIENCE);
  }

  /// Lets the home be removed, if no other process shares it. Nothing inside may be in use any
  /// more.
  @Override
  public void close() {
    directory.close();
  }

  private Path lock(String name) {
    return path().resolve(LOCKS).resolve(name);
  }
}
