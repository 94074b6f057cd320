package dev.millrace.spi;

import java.nio.file.Path;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/// Opens the disks of the tasks of one process: any task's at any time, on any thread, while others
/// are open. Thread-safe.
public interface Disks extends AutoCloseable {

  /// Opens or creates the disk of a task; at most one open [Disk] a task. Until it is closed, no
  /// other process can open or remove the task's state.
  ///
  /// @param task the task's name, such as `1-3`: letters, digits and `-`
  /// @throws DiskException of kind `IN_USE` if the disk is already open or another process holds
  ///   it, `CORRUPT` if it must be wiped
  /// @throws IllegalArgumentException if the name has other characters
  Disk open(String task);

  /// Removes the state of a task whose disk is closed, and its stage. Does nothing if there is
  /// none. Never removes state that another process holds.
  ///
  /// @throws DiskException of kind `IN_USE` if the disk is open, or another process holds it
  void wipe(String task);

  /// Returns the stage in which a task's disk can be built from the files of a [DiskImage]. The
  /// task's disk cannot be opened until the stage is closed. Opening a disk with a position
  /// discards what the stage had collected before.
  ///
  /// @return null if disks of this kind cannot be built from files
  /// @throws DiskException of kind `IN_USE` if the disk is open, or another process holds it
  @Nullable DiskStage stage(String task);

  /// Returns the names of the tasks that have state here: those that were opened at some time, by
  /// whatever process, and not wiped since. No disk is opened to find out. Empty if written state
  /// does not survive the process.
  SortedSet<String> stored();

  /// Returns whether written state survives the process, so that writing it shortens the next
  /// recovery.
  default boolean durable() {
    return true;
  }

  /// Returns the memory outside the heap that the disks hold, in bytes, as far as it grows with
  /// what is stored and read.
  default long memoryBytes() {
    return 0;
  }

  /// Closes the disks that are still open, which no thread may be using, and releases the state for
  /// other processes. Whatever opens, wipes or stages a disk afterwards fails with an
  /// `IllegalStateException`.
  @Override
  void close();

  /// Opens disks of one kind. Found by [java.util.ServiceLoader], so that a test kit does not
  /// depend on the kinds.
  interface Provider {

    /// Opens the disks in a directory, for tasks with little state.
    ///
    /// @param directory created if need be; other processes may have other tasks in it
    /// @throws DiskException of kind `IN_USE` if another process does not share it
    Disks open(Path directory);
  }
}
