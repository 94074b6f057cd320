package dev.millrace.internal.beam.state;

/// A state that is an object while its key is at hand, and is stored when another key comes or a
/// commit begins.
interface Pending {
  /// Stores it, if it has changed.
  void store();
}
