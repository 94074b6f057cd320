package dev.millrace.api;

/// An operator of the application, with state, timers and resources. Each task has one instance,
/// which one thread uses.
///
/// [#open] comes first, with every store readable; then [#process], [#onTimer] and [#onClockTimer]
/// in any order; [#close] comes last. After a failure the instance is closed and another one opened
/// on the state of the last commit, so what is not in a store must be something that may be
/// forgotten.
///
/// ```java
/// class Doubling implements Processor<String, Long, Long> {
///   @Override
///   public void process(Records<String, Long> records, Output<Long> out) {
///     while (records.next()) {
///       out.emit(2 * records.value());
///     }
///   }
/// }
/// ```
///
/// @param <K> the key's type
/// @param <V> the type of the records
/// @param <R> the type of the results
public interface Processor<K, V, R> {

  /// Prepares the instance, before anything else is called.
  default void open(ProcessorContext<K> context) {}

  /// Processes a batch, all of it. An exception is bad input at the current record.
  void process(Records<K, V> records, Output<R> out);

  /// Runs when a timer of that key is due: the watermark has reached its time.
  ///
  /// @param timestamp the time it was set for, in milliseconds since 1970 (UTC)
  default void onTimer(K key, long timestamp, Output<R> out) {}

  /// Runs when a timer in processing time is due: the clock has reached its time.
  ///
  /// What it emits has the task's event time, the watermark, unless another one is given; so it is
  /// not late after this task. As long as there is no watermark, no timer fires.
  ///
  /// @param timestamp the time it was set for, in milliseconds since 1970 (UTC)
  default void onClockTimer(K key, long timestamp, Output<R> out) {}

  /// Releases what [#open] has acquired.
  default void close() {}
}
