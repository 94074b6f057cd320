package dev.millrace.api;

import dev.millrace.api.function.Record;
import dev.millrace.api.serde.Bytes;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A record whose value is there, seen as one of a topic without deletions.
record PresentRecord<K, V>(Record<K, Optional<V>> all) implements Record<K, V> {
  @Override
  public @Nullable K key() {
    return all.key();
  }

  @Override
  public V value() {
    return all.value().orElseThrow();
  }

  @Override
  public long timestamp() {
    return all.timestamp();
  }

  @Override
  public boolean isRetraction() {
    return all.isRetraction();
  }

  @Override
  public byte @Nullable [] header(String name) {
    return all.header(name);
  }

  @Override
  public List<String> headerNames() {
    return all.headerNames();
  }

  @Override
  public Bytes headers() {
    return all.headers();
  }

  @Override
  public String topic() {
    return all.topic();
  }

  @Override
  public int partition() {
    return all.partition();
  }

  @Override
  public long offset() {
    return all.offset();
  }
}
