package dev.millrace.api;

/// The latest value of each key.
public interface Table<K, V> {

  /// Every change of the table as a record: the key and its new value, at the event time of the
  /// record that caused it. Values of one key come in order.
  KeyedStream<K, V> updates();

  /// Writes every change; the key decides the partition.
  void to(KeyedSink<K, V> sink);
}
