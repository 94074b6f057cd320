package dev.millrace.benchmarks.nexmark.peer;

import dev.millrace.benchmarks.nexmark.model.Tally;

/// A stream processor that answers a query of Nexmark over a bounded input, in a process of its
/// own; see [NexmarkMain].
///
/// Results that stay in the process are added to the tally. What is written into a topic is read
/// and added up by the benchmark. All methods but [#start] and [#stop] are called again and again
/// by one thread.
public interface NexmarkPeer {
  /// Its name and version.
  String version();

  /// What is set otherwise than by default, and why it is in its favour.
  String settings(NexmarkWork work);

  /// Starts the work and returns at once.
  void start(NexmarkWork work, Tally results) throws Exception;

  /// How many events it has read since it was started.
  ///
  /// @throws IllegalStateException if it has failed
  long processed();

  /// Whether all events are processed and all results are there.
  ///
  /// @throws IllegalStateException if it has failed
  boolean ended();

  /// Ends what is left of it.
  void stop();
}
