package dev.millrace.spi;

import java.time.Duration;
import java.util.Map;

/// Knows which processes of an application live, besides what these say in the log: a service that
/// notices when one of them ends, such as ZooKeeper. What it says may be late or wrong. Then tasks
/// move that need not have, or later than they could; no result is lost or wrong, because whoever
/// takes a task over bars its former owner in the log.
///
/// Thread-safe. No call but [#close] waits for the service.
public interface Presence extends AutoCloseable {

  /// What is known of a process.
  enum Sight {
    /// It is there.
    PRESENT,
    /// It was there, and has ended.
    GONE,
    /// Nothing: it was never there, or the service cannot be reached.
    UNKNOWN
  }

  /// Shows that a process is there, until this is closed or the process ends.
  ///
  /// @param member its name, which the next process in its place has, too
  /// @param life of this process alone
  /// @param changed is called, by any thread, when there may be something new
  void enter(String member, long life, Runnable changed);

  /// Returns what is known of a process.
  Sight of(String member, long life);

  /// Returns a number that changes when something new may be known.
  long changes();

  /// Returns how long a process that is [present][Sight#PRESENT] may say nothing in the log before
  /// it is taken for dead nevertheless.
  Duration patience();

  /// Leaves. Waits for the service for two seconds at most.
  @Override
  void close();

  /// Returns one that knows nothing.
  static Presence none() {
    return NoPresence.INSTANCE;
  }

  /// Connects to such a service. Found by [java.util.ServiceLoader], so that only programs that use
  /// one have it on their class path.
  interface Provider {

    /// Returns the value of the setting `cluster.membership` that chooses it.
    String name();

    /// Begins to connect, and does not wait for that.
    ///
    /// @param application whose processes are looked at
    /// @param settings those that are named after [#name], without that
    /// @throws IllegalArgumentException if a setting is missing or cannot work; the message says
    ///   which
    Presence open(String application, Map<String, String> settings);
  }
}
