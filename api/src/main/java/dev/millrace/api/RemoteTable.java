package dev.millrace.api;

import org.jspecify.annotations.Nullable;

/// A table that another system keeps, such as a database: what it has for a key is read and written
/// by [calls][Call], with their limits, repetitions, batches and cache. These hold for each
/// operator that uses the table. The application opens and closes its clients.
///
/// ```java
/// RemoteTable<String, Customer> customers =
///     RemoteTable.of(
///         "customers",
///         Call.blocking(key -> database.read(key)),
///         Call.blocking(write -> database.write(write.key(), write.value(), write.version())));
/// ```
///
/// @param <K> keys
/// @param <V> values
/// @see With#remote(RemoteTable, dev.millrace.api.function.Mapper)
/// @see KeyedStream#put(String, RemoteTable)
public final class RemoteTable<K, V> {

  /// A value that is to be written.
  ///
  /// @param value null deletes the key
  /// @param version larger with each write of a key by the same operator, and the same when one is
  ///   repeated; it has no more than 53 bits. A table that keeps it beside the value, and leaves
  ///   out a write whose version is not larger, is safe from requests that were given up and arrive
  ///   late all the same. Where a key goes to another task it grows by the clock of its process
  public record Write<K, V>(K key, @Nullable V value, long version) {}

  private final String name;
  private final @Nullable Call<K, V> get;
  private final @Nullable Call<Write<K, V>, ?> put;

  private RemoteTable(String name, @Nullable Call<K, V> get, @Nullable Call<Write<K, V>, ?> put) {
    this.name = name;
    this.get = get;
    this.put = put;
  }

  /// Returns a table that is read.
  ///
  /// @param name in the plan and in messages
  /// @param get answers with the value of a key, null if it has none
  public static <K, V> RemoteTable<K, V> read(String name, Call<K, V> get) {
    return new RemoteTable<>(name, get, null);
  }

  /// Returns a table that is written.
  ///
  /// @param put writes a value; what it answers is ignored. A write may be repeated, and changes
  ///   nothing then: it says what the value is, not by how much it grows. Of a key one is made
  ///   after the other, and a batch has one at most
  public static <K, V> RemoteTable<K, V> written(String name, Call<Write<K, V>, ?> put) {
    return new RemoteTable<>(name, null, checked(name, put));
  }

  /// Returns a table that is read and written. A read finds what was written before it began,
  /// unless a cache has an older answer.
  public static <K, V> RemoteTable<K, V> of(String name, Call<K, V> get, Call<Write<K, V>, ?> put) {
    return new RemoteTable<>(name, get, checked(name, put));
  }

  private static <K, V> Call<Write<K, V>, ?> checked(String name, Call<Write<K, V>, ?> put) {
    if (put.cache().entries() > 0) {
      throw new InvalidTopologyException(
          "The call that writes remote table '%s' has a cache, which would leave out writes. Give the cache to the call that reads."
              .formatted(name));
    }
    if (put.order() == Call.Order.NONE) {
      throw new InvalidTopologyException(
          "The call that writes remote table '%s' is unordered, and the last write of a key would not be the one that stays. Leave out unordered()."
              .formatted(name));
    }
    return put;
  }

  /// Returns the name in the plan and in messages.
  public String name() {
    return name;
  }

  /// Returns the call that reads.
  ///
  /// @throws InvalidTopologyException if it is not
  public Call<K, V> get() {
    if (get == null) {
      throw new InvalidTopologyException(
          "Remote table '%s' is only written: RemoteTable.of(name, get, put) gives one that is read, too."
              .formatted(name));
    }
    return get;
  }

  /// Returns the call that writes.
  ///
  /// @throws InvalidTopologyException if it is not
  public Call<Write<K, V>, ?> put() {
    if (put == null) {
      throw new InvalidTopologyException(
          "Remote table '%s' is only read: RemoteTable.of(name, get, put) gives one that is written, too."
              .formatted(name));
    }
    return put;
  }
}
