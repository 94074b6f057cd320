package dev.millrace.benchmarks.change.peer;

/// Another engine: a program that counts events by key and adds them up, exactly once and with
/// state on disk, and writes a [Row] for each numbered one. It runs in a process of its own; see
/// [ChangePeerMain].
public interface ChangePeer {
  /// Its name and version.
  String version();

  /// What is set otherwise than by default, and why it is in its favour.
  String settings();

  /// Starts the program over the state that there is, and returns at once.
  void start(Assignment assignment) throws Exception;

  /// @throws IllegalStateException if it has failed; says why
  void requireRunning();

  /// Ends the program such that it goes on from there at its next start.
  void stop() throws Exception;
}
