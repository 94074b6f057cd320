package dev.millrace.engine.topology;

import dev.millrace.api.KeyedSink;
import dev.millrace.api.KeyedStream;
import dev.millrace.api.Table;

/// The typed front of what an aggregation keeps.
record BuiltTable<K, V>(KeyedStream<K, V> updates) implements Table<K, V> {

  @Override
  public void to(KeyedSink<K, V> sink) {
    updates.to(sink);
  }
}
