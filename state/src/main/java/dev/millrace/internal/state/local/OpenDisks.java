package dev.millrace.internal.state.local;

import dev.millrace.spi.Disk;
import dev.millrace.spi.DiskException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Which tasks of a process have an open disk, so that none is opened twice or wiped while open,
/// and none is opened any more once all are closed. Thread-safe.
public final class OpenDisks {

  /// By task; null while it is being opened, wiped or made.
  private final Map<String, @Nullable Disk> open = new TreeMap<>();

  /// How many are being opened or wiped.
  private int underWay;

  private boolean closed;

  /// Opens a task's disk.
  ///
  /// @param opener gets what the disk has to run once it is closed
  /// @throws DiskException of kind `IN_USE` if it is open already
  /// @throws IllegalArgumentException if the task's name is no name
  public Disk open(String task, Function<Runnable, Disk> opener) {
    begin(TaskName.check(task));
    Disk disk = null;
    try {
      disk = opener.apply(() -> release(task));
      return disk;
    } finally {
      end(task, disk);
    }
  }

  /// Does something that must not meet an open disk of the task.
  ///
  /// @throws DiskException of kind `IN_USE` if it is open
  /// @throws IllegalArgumentException if the task's name is no name
  public void whileClosed(String task, Runnable action) {
    begin(TaskName.check(task));
    try {
      action.run();
    } finally {
      end(task, null);
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

  /// Returns the tasks whose disks are open, or are being opened, wiped or made, in order.
  public synchronized List<String> tasks() {
    return List.copyOf(open.keySet());
  }

  /// Closes all disks, also if closing some of them fails. From now on none is opened, wiped or
  /// made. This waits for those that another thread is opening or wiping.
  public void closeAll() {
    closeAll(lastOpen().stream().<Runnable>map(disk -> disk::close).toList());
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

  private synchronized void begin(String task) {
    reserve(task);
    underWay++;
  }

  private synchronized void end(String task, @Nullable Disk disk) {
    underWay--;
    if (disk == null) {
      open.remove(task);
    } else {
      open.put(task, disk);
    }
    notifyAll();
  }

  private synchronized void reserve(String task) {
    if (closed) {
      throw new IllegalStateException(
          "the disks are closed, so that of task %s cannot be used any more".formatted(task));
    }
    if (open.containsKey(task)) {
      throw new DiskException(
          DiskException.Kind.IN_USE,
          "the disk of task %s is open or being restored in this process; close it first"
              .formatted(task),
          null);
    }
    open.put(task, null);
  }

  private synchronized void release(String task) {
    open.remove(task);
  }

  private synchronized List<Disk> lastOpen() {
    closed = true;
    boolean interrupted = false;
    while (underWay > 0) {
      try {
        wait();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return open.values().stream().flatMap(Stream::ofNullable).toList();
  }
}
