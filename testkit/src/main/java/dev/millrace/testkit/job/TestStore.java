package dev.millrace.testkit.job;

import dev.millrace.api.serde.Serde;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Reads and checks what a job has committed to a store, over all of its processes. Every method
/// first lets the job process and commit everything that was sent. Used by the test's thread.
///
/// @param <K> the type of keys
/// @param <V> the type of values, which are compared with `equals`
public final class TestStore<K, V> {
  private final TestJob job;
  private final String name;
  private final Serde<K> keySerde;
  private final Serde<V> valueSerde;

  TestStore(TestJob job, String name, Serde<K> keySerde, Serde<V> valueSerde) {
    this.job = job;
    this.name = name;
    this.keySerde = keySerde;
    this.valueSerde = valueSerde;
  }

  /// Returns the value of a key; null if it has none. If the keys of a processor's store are not
  /// those of its records, several tasks may have a value for the key; then the value of the first
  /// of these tasks is returned.
  ///
  /// @throws dev.millrace.spi.job.QueryException if there is no such store, or its keys or values
  ///   have other formats
  /// @throws IllegalStateException if all input has ended, and the job with it
  public @Nullable V get(K key) {
    return job.resting().stored(name, keySerde, valueSerde, key);
  }

  /// Checks the value of a key.
  public TestStore<K, V> has(K key, V expected) {
    V found = get(key);
    if (!expected.equals(found)) {
      throw job.failed(
          "Store '%s' has another value of key %s.".formatted(name, key),
          expected,
          Objects.requireNonNullElse(found, "none"));
    }
    return this;
  }

  /// Checks that a key has no value.
  public TestStore<K, V> hasNo(K key) {
    V found = get(key);
    if (found != null) {
      throw job.failed("Store '%s' has a value of key %s.".formatted(name, key), "none", found);
    }
    return this;
  }
}
