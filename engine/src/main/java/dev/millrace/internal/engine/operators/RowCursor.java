package dev.millrace.internal.engine.operators;

import dev.millrace.api.Records;
import dev.millrace.api.serde.Bytes;
import org.jspecify.annotations.Nullable;

/// The rows of a batch as a stateful operator reads them: in order.
public interface RowCursor extends Records<Object, Object> {

  /// The key's bytes, or null if the row has no key. They are those that were read where the key
  /// did not change on the way. Valid until the next move.
  @Nullable Bytes keyBytes();

  /// Whether the row has a value; always, but for records of a table.
  boolean hasValue();

  /// Whether the row stands for a record that was read, which has a topic, a partition and an
  /// offset.
  boolean hasOrigin();

  /// Goes back to before the first row; for an operator that looks at keys before it processes.
  void rewind();
}
