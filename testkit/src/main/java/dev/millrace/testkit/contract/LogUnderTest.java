package dev.millrace.testkit.contract;

import dev.millrace.spi.Log;

/// Gives [LogContract] access to an implementation of [Log].
public interface LogUnderTest {

  /// Returns a separate connection to the log, which the suite closes.
  Log connect();

  /// Returns a name that was never used in this log, for topics, transactional ids and groups.
  ///
  /// @param hint letters, digits and `-`; the name starts with it
  String uniqueName(String hint);

  /// Waits a few milliseconds, or advances virtual time.
  void letTimePass();

  /// Returns how often to call [#letTimePass] until an expected event counts as failed. In that
  /// time, the log must abort a transaction with a timeout of one second.
  int patience();

  /// Deletes a topic and returns when it is gone.
  void deleteTopic(String topic);

  /// Returns the number of seeds of the random part.
  int randomRuns();
}
