package dev.millrace.benchmarks.peer;

import dev.millrace.benchmarks.recovery.PaddedCount;
import java.time.Duration;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// A stream processor that counts the records of a topic by key, with 100 bytes of state a key, on
/// disk and exactly once. It runs in a process of its own; see [PeerMain].
///
/// Keys and values are bytes: a key is a number of eight bytes, a state is a [PaddedCount]. All
/// methods but [#start] and [#stop] are called again and again by one thread and cost next to
/// nothing.
public interface Peer {
  /// Its name and version.
  String version();

  /// What is set otherwise than by default, and why it is in its favour.
  String settings();

  /// Starts the work and returns at once.
  void start(Work work) throws Exception;

  /// How many records it has processed since it was started.
  ///
  /// @throws IllegalStateException if it has failed
  long processed();

  /// Whether every task has processed a record since the start, so that all of the state is there.
  boolean everyTaskProcesses();

  /// How often all of the state was saved elsewhere; empty if every change is saved at its commit.
  OptionalLong saves();

  /// How the state was restored, once it was; null before.
  @Nullable Restore restore();

  /// Ends the work in an orderly way.
  void stop();

  /// A state brought back from elsewhere.
  ///
  /// @param time as the engine measures it, without the start of processes and clients
  /// @param records -1 if the engine does not say
  record Restore(Duration time, long records) {}
}
