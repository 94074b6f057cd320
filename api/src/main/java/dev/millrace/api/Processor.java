package dev.millrace.api;

/// An operator with a life of its own: state, timers, resources. One instance a task, used by one
/// thread.
///
/// [#open] comes first, with every store readable; then [#process], [#onTimer] and [#onClockTimer]
/// in any order; [#close] comes last. After a failure the instance is closed and another one opened
/// on the state of the last commit, so what is not in a store must be something that may be
/// forgotten.
///
/// @param <K> the key's type
/// @param <V> the type of the records
/// @param <R> the type of the results
public interface Processor<K, V, R> {

  default void open(ProcessorContext<K> context) {}

  /// Processes a batch: reads all of it. An exception is bad input at the current record.
  void process(Records<K, V> records, Output<R> out);

  /// A timer set for that key is due: the watermark has reached its time.
  ///
  /// @param timestamp the time it was set for, in milliseconds since 1970 (UTC)
  default void onTimer(K key, long timestamp, Output<R> out) {}

  /// A timer in processing time is due: the clock has reached its time.
  ///
  /// What it emits has the task's event time, the watermark, so it is not late behind this task;
  /// unless another is given. As long as there is no watermark, none fires.
  ///
  /// @param timestamp the time it was set for, in milliseconds since 1970 (UTC)
  default void onClockTimer(K key, long timestamp, Output<R> out) {}

  default void close() {}
}
