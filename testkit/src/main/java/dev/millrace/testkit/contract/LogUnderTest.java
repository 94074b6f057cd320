package dev.millrace.testkit.contract;

import dev.millrace.spi.Log;

/// What [LogContract] needs to know of an implementation of [Log].
public interface LogUnderTest {

  /// A connection of its own to the log, closed by the suite.
  Log connect();

  /// A name that was never used in this log, for topics, transactional ids and groups.
  ///
  /// @param hint letters, digits and `-`; the name starts with it
  String uniqueName(String hint);

  /// Waits a few milliseconds, or lets virtual time pass.
  void letTimePass();

  /// How often to [#letTimePass] before something that should happen counts as failed. The log must
  /// have aborted a transaction with a timeout of one second by then.
  int patience();

  /// Deletes a topic and returns when it is gone.
  void deleteTopic(String topic);

  /// How many seeds the random part runs.
  int randomRuns();
}
