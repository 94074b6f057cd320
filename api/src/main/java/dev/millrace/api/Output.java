package dev.millrace.api;

/// Takes the results of a processor. They are passed on when the processor returns, in order, under
/// the key, the headers and the event time of the record or timer that is processed.
public interface Output<R> {

  /// Emits a result.
  void emit(R value);

  /// Emits a result with another event time.
  ///
  /// @param timestamp milliseconds since 1970 (UTC)
  void emit(R value, long timestamp);
}
