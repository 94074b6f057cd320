package dev.millrace;

import dev.millrace.internal.state.local.OwnerFile;
import dev.millrace.spi.Disks;

/// The home of an application's state, as this process has it.
interface Home extends AutoCloseable {

  /// Returns the id of the home, which no other one has.
  String name();

  /// Takes a place in the home, and opens the disks. The second time, it returns the same.
  Disks hold();

  /// Returns a name that no other living process has. To be called once the place is held.
  String member();

  /// Records the owner of the home, which is held.
  void belongsTo(OwnerFile.Owner owner);

  /// Returns how large the state of the tasks of this process is on disk. Thread-safe.
  long bytes();

  @Override
  void close();
}
