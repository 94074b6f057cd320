package dev.millrace.api;

import dev.millrace.api.function.Record;

/// A batch of records, read once from the start: the current one is this object itself.
///
/// ```java
/// while (records.next()) {
///   out.emit(records.value());
/// }
/// ```
public interface Records<K, V> extends Record<K, V> {

  /// Advances to the next record, first to the first one; returns false after the last.
  boolean next();
}
