package dev.millrace.internal.engine.chain;

import dev.millrace.api.serde.Bytes;
import java.util.HashMap;
import java.util.Map;

/// What takes the place of rows that are taken back: a later row with the same key.
final class Replacements {
  /// By key, the last row that takes back none.
  private final Map<Bytes, Integer> lastRows = new HashMap<>();

  Replacements(Rows rows, Keys keys) {
    Bytes key = new Bytes();
    for (int row = 0, size = rows.size(); row < size; row++) {
      if (!rows.isRetraction(row) && keys.find(rows, row, key)) {
        lastRows.put(key.copy(), row);
      }
    }
  }

  /// Whether nothing takes the place of a row that is taken back.
  boolean lacks(int row, Bytes key) {
    return lastRows.getOrDefault(key, -1) < row;
  }
}
