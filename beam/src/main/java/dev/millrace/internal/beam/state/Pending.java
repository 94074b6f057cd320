package dev.millrace.internal.beam.state;

/// A state that is an object as long as its key is remembered, and is stored at the latest when a
/// commit begins.
interface Pending {
  /// What has a size that is not known, as it was neither read nor stored.
  int UNKNOWN = -1;

  /// Stores it, if it has changed.
  void store();

  /// Returns how many bytes it had when it was read or stored; [#UNKNOWN] if it was not.
  int bytes();
}
