package dev.millrace.benchmarks.scenarios;

/// A stream processor that does a scenario, in a process of its own; see [ScenarioMain].
///
/// Keys of the input are eight bytes, values as of [Event]. What is passed on is unchanged. An
/// answer has the key of eight bytes that was counted by and the count as eight bytes; it is all
/// that those that count write. All methods but [#start] and [#stop] are called again and again by
/// one thread.
public interface ScenarioPeer {
  /// Its name and version.
  String version();

  /// What is set otherwise than by default, and why it is in its favour.
  String settings(Assignment assignment);

  /// Starts the work and returns at once.
  void start(Assignment assignment) throws Exception;

  /// How many records it has processed since it was started, behind an exchange if there is one.
  ///
  /// @throws IllegalStateException if it has failed
  default long processed() {
    return Tally.total();
  }

  /// Ends the work in an orderly way.
  void stop();
}
