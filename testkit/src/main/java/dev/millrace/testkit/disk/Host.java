package dev.millrace.testkit.disk;

import dev.millrace.spi.Disks;
import dev.millrace.testkit.Seed;

/// A machine as a container sees it: a place for local state that outlives its processes. One
/// process at a time has it. Used by one thread.
public interface Host {

  /// Gives a process its disks.
  ///
  /// @throws dev.millrace.spi.DiskException of kind `IN_USE` if a process has them
  Disks mount();

  /// Ends the process that has the disks, if any, without a last word; what it wrote is kept.
  void kill();

  /// Ends the process and the machine. Where the host can lose what was not synced, it does.
  void losePower();

  /// Lets the process die in one of its next operations on the disks, if it gets that far.
  ///
  /// @param operations how many more there are, this one included
  void dieAfter(int operations);

  /// Lets the next operations on the disks fail, where the host can; each may have happened all the
  /// same, or partly so.
  ///
  /// @param operations how many
  void failNext(int operations);

  /// Lets the disks run full, where the host can: they take so much more and nothing after that,
  /// until [#free].
  ///
  /// @param bytes how much
  void fill(int bytes);

  /// Ends what [#fill] began.
  void free();

  /// Inverts a bit of what is on the disks, where the host can: as a worn medium does.
  ///
  /// @param draw says which
  void wear(Seed draw);

  /// Whether [#wear] has changed anything so far.
  boolean worn();

  /// Whether the process died in such an operation, and was not ended by [#kill] since.
  boolean died();
}
