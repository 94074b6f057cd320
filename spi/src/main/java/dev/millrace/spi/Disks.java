package dev.millrace.spi;

/// Opens the disks of the tasks of one container. Thread-safe.
public interface Disks extends AutoCloseable {

  /// Opens or creates the disk of a task; at most one open [Disk] a task.
  ///
  /// @param task the task's name, such as `1-3`: letters, digits and `-`
  /// @throws DiskException of kind `IN_USE` if it is open already or another process holds it,
  ///   `CORRUPT` if it must be wiped
  /// @throws IllegalArgumentException if the name is not made of those
  Disk open(String task);

  /// Removes the state of a task whose disk is closed; nothing if there is none. Never removes what
  /// another process holds.
  ///
  /// @throws DiskException of kind `IN_USE` if the disk is open
  void wipe(String task);

  /// Closes the disks that are still open, which no thread may be using, and gives the state back
  /// for another process to hold.
  @Override
  void close();
}
