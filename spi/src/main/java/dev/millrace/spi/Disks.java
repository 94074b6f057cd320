package dev.millrace.spi;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Opens the disks of the tasks of one container. Thread-safe.
public interface Disks extends AutoCloseable {

  /// Opens or creates the disk of a task; at most one open [Disk] a task.
  ///
  /// @param task the task's name, such as `1-3`: letters, digits and `-`
  /// @throws DiskException of kind `IN_USE` if it is open already or another process holds it,
  ///   `CORRUPT` if it must be wiped
  /// @throws IllegalArgumentException if the name is not made of those
  Disk open(String task);

  /// Removes the state of a task whose disk is closed, and its stage; nothing if there is none.
  /// Never removes what another process holds.
  ///
  /// @throws DiskException of kind `IN_USE` if the disk is open
  void wipe(String task);

  /// The stage in which a task's disk can be made of the files of a [DiskImage]. The task's disk
  /// cannot be opened until it is closed. Once a disk with a position was opened, what the stage
  /// had gathered before is gone.
  ///
  /// @return null if disks of this kind cannot be made so
  /// @throws DiskException of kind `IN_USE` if the disk is open
  @Nullable DiskStage stage(String task);

  /// Whether what is written outlives the process, so that writing it shortens the next recovery.
  default boolean durable() {
    return true;
  }

  /// The memory outside the heap that the disks hold, as far as it grows with what is stored and
  /// read.
  default long memoryBytes() {
    return 0;
  }

  /// Closes the disks that are still open, which no thread may be using, and gives the state back
  /// for another process to hold.
  @Override
  void close();

  /// Opens disks of a kind. Found by [java.util.ServiceLoader], so that a test kit need not know
  /// which kinds there are.
  interface Provider {

    /// Opens the disks in a directory, for tasks with little state.
    ///
    /// @param directory created if need be; held by this process until the disks are closed
    /// @throws DiskException of kind `IN_USE` if it is held already
    Disks open(Path directory);
  }
}
