package dev.millrace.api;

/// What a [Processor] can reach. Used by the task's thread only.
public interface ProcessorContext<K> {

  /// A store that the processor was declared with.
  <L, V> KeyValueStore<L, V> store(StoreSpec<L, V> spec);

  /// Sets a timer in event time. Setting one twice is setting it once. One that is set for a time
  /// the watermark has passed fires when the watermark next moves, or in the same go if a timer
  /// sets it. Timers are part of the state: they survive crashes and fire once, in the order of
  /// their times.
  ///
  /// When a bounded input ends, every timer fires; one that sets itself anew must stop when
  /// [#watermark] is `Long.MAX_VALUE`.
  ///
  /// @param timestamp milliseconds since 1970 (UTC)
  void setTimer(K key, long timestamp);

  void cancelTimer(K key, long timestamp);

  /// The task's event time: no record below it is expected any more, in milliseconds since 1970
  /// (UTC); `Long.MIN_VALUE` if not known yet, `Long.MAX_VALUE` when the input has ended. While
  /// timers fire it is the watermark they fire at.
  long watermark();

  /// The task's name, for messages.
  String task();
}
