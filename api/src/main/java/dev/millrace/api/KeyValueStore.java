package dev.millrace.api;

import org.jspecify.annotations.Nullable;

/// A map that survives crashes. It is part of one task, and used by its thread only.
///
/// What is written is visible to this task at once and becomes durable with the commit of the
/// records that caused it. A key is never null: where records may have none, filter them out
/// before, or say which key stands for that. An object given to [#put] or got from [#get] may be
/// kept decoded by the store: change it only to put it again.
public interface KeyValueStore<K, V> {

  /// Returns the value of a key, or null if there is none.
  @Nullable V get(K key);

  /// Sets the value of a key.
  void put(K key, V value);

  /// Removes a key.
  void delete(K key);

  /// Gives the visitor the entries with `from <= key < to`, in the unsigned order of the keys'
  /// bytes, until it returns false. Only for stores declared with ranges. The visitor must not
  /// write to the store.
  ///
  /// @param from the first key, or null to start at the first there is
  /// @param to the key after the last, or null to go to the end
  void range(@Nullable K from, @Nullable K to, Visitor<K, V> visitor);

  /// Gets entries.
  @FunctionalInterface
  interface Visitor<K, V> {
    /// @return whether to continue
    boolean entry(K key, V value);
  }
}
