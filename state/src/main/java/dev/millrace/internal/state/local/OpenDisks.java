package dev.millrace.internal.state.local;

import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Which tasks of a container have an open disk, so that none is opened twice or wiped while open.
/// Thread-safe.
public final class OpenDisks {

  /// By task; null while it is being opened, wiped or made.
  private final Map<String, @Nullable Disk> open = new HashMap<>();

  /// Opens a task's disk.
  ///
  /// @param opener gets what the disk has to run once it is closed
  /// @throws DiskException of kind `IN_USE` if it is open already
  /// @throws IllegalArgumentException if the task's name is no name
  public Disk open(String task, Function<Runnable, Disk> opener) {
    reserve(TaskName.check(task));
    Disk disk = null;
    try {
      disk = opener.apply(() -> release(task));
      return disk;
    } finally {
      if (disk == null) {
        release(task);
      } else {
        opened(task, disk);
      }
    }
  }

  /// Does something that must not meet an open disk of the task.
  ///
  /// @throws DiskException of kind `IN_USE` if it is open
  /// @throws IllegalArgumentException if the task's name is no name
  public void whileClosed(String task, Runnable action) {
    reserve(TaskName.check(task));
    try {
      action.run();
    } finally {
      release(task);
    }
  }

  /// Makes something that keeps the task's disk closed until it ends.
  ///
  /// @param maker gets what is to be run at that end
  /// @throws DiskException of kind `IN_USE` if the disk is open
  /// @throws IllegalArgumentException if the task's name is no name
  public <T> T keepClosed(String task, Function<Runnable, T> maker) {
    reserve(TaskName.check(task));
    boolean made = false;
    try {
      T keeper = maker.apply(() -> release(task));
      made = true;
      return keeper;
    } finally {
      if (!made) {
        release(task);
      }
    }
  }

  /// Closes all disks, also if closing some of them fails.
  public void closeAll() {
    closeAll(stillOpen().stream().<Runnable>map(disk -> disk::close).toList());
  }

  /// Runs all of some closing actions, and throws the first failure at the end.
  public static void closeAll(List<Runnable> closings) {
    DiskException failure = null;
    for (Runnable closing : closings) {
      try {
        closing.run();
      } catch (DiskException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  private synchronized void reserve(String task) {
    if (open.containsKey(task)) {
      throw new DiskException(
          DiskException.Kind.IN_USE,
          "the disk of task %s is open or being restored in this process; close it first"
              .formatted(task),
          null);
    }
    open.put(task, null);
  }

  private synchronized void opened(String task, Disk disk) {
    open.put(task, disk);
  }

  private synchronized void release(String task) {
    open.remove(task);
  }

  private synchronized List<Disk> stillOpen() {
    return open.values().stream().flatMap(Stream::ofNullable).toList();
  }
}
