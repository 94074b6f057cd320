package dev.millrace.api;

/// Gives a [Processor] its stores, its timers and the time. Used by the task's thread only.
public interface ProcessorContext<K> {

  /// Returns a store that the processor was declared with.
  <L, V> KeyValueStore<L, V> store(StoreSpec<L, V> spec);

  /// Sets a timer in event time. Setting it twice is setting it once. A timer for a time that the
  /// watermark has passed fires when the watermark advances next, or at once if a timer sets it.
  /// Timers are part of the state: they survive crashes and fire once, in the order of their times.
  ///
  /// When a bounded input ends, every timer fires; one that sets itself anew must stop when
  /// [#watermark] is `Long.MAX_VALUE`.
  ///
  /// @param timestamp milliseconds since 1970 (UTC)
  void setTimer(K key, long timestamp);

  /// Removes a timer in event time.
  void cancelTimer(K key, long timestamp);

  /// Sets a timer in processing time: it fires when [#clock] has reached its time, whether or not
  /// records arrive, as soon as the task can: some tens of milliseconds later where it has nothing
  /// else to do, and not while it closes windows or waits for room, nor before event time is known
  /// (see [#watermark]). Setting one twice is setting it once. Timers are part of the state: they
  /// survive crashes, and what one does is committed once. They fire in the order of their times;
  /// of one that was due while the job stood still, after its start.
  ///
  /// Between which records it fires is chance, and differs if they are processed again. When all
  /// inputs have ended the job does not wait for it, and it does not fire.
  ///
  /// @param timestamp milliseconds since 1970 (UTC), from 0 on
  void setClockTimer(K key, long timestamp);

  /// Removes a timer in processing time.
  void cancelClockTimer(K key, long timestamp);

  /// Returns the task's clock, in milliseconds since 1970 (UTC): that of the machine, but it never
  /// goes back, not by a crash either.
  long clock();

  /// Returns the task's event time: no earlier record is expected any more, in milliseconds since
  /// 1970 (UTC); `Long.MIN_VALUE` if not known yet, `Long.MAX_VALUE` when the input has ended.
  /// While timers fire it is the watermark they fire at.
  long watermark();

  /// Returns the task's name, for messages.
  String task();
}
