package dev.millrace.internal.engine.operators;

import dev.millrace.api.serde.Bytes;

/// Has a store read from the disk together what a batch will ask it for. It changes no result.
public interface ReadAhead {

  /// Whether it pays for the next batch; to be asked once before each.
  boolean pays();

  /// Notes that a key will be asked for.
  ///
  /// @param storeKey as the store's serde writes it; not kept
  void want(Bytes storeKey);

  /// Reads what was noted.
  void load();

  /// Reads what a store has under the rows' own keys, if that pays.
  ///
  /// @param rows before the first; they are there again afterwards
  default void loadKeysOf(RowCursor rows) {
    if (pays()) {
      while (rows.next()) {
        Bytes key = rows.keyBytes();
        if (key != null) {
          want(key);
        }
      }
      rows.rewind();
      load();
    }
  }
}
