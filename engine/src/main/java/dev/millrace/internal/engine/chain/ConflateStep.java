package dev.millrace.internal.engine.chain;

import dev.millrace.api.serde.Bytes;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/// Of all changes that a key has within a batch lets through what they come to: at most one row
/// that takes back what was there before, and one with what is there now. The keys keep the order
/// in which they were first changed.
final class ConflateStep extends Step {
  private static final int NONE = -1;

  private final Map<Bytes, Change> changes = new LinkedHashMap<>();
  private final Bytes key = new Bytes();
  private final Rows out = new Rows();

  /// Rows of one key.
  private static final class Change {
    /// The row that takes back what was there before the batch, or [#NONE].
    private final int before;

    private int last;

    Change(int before) {
      this.before = before;
    }
  }

  ConflateStep(String name, Place place) {
    super(name, place);
  }

  @Override
  void apply(Rows rows) {
    if (rows.size() < 2) {
      forward(rows);
      return;
    }
    changes.clear(); // of a batch that failed
    Object[] values = rows.values();
    for (int row = 0, size = rows.size(); row < size; row++) {
      rows.current = row;
      if (!rows.key(row, key)) {
        throw new IllegalStateException("A change of a table has no key.");
      }
      Change change = changes.get(key);
      if (change == null) {
        change = new Change(rows.isRetraction(row) ? row : NONE);
        changes.put(key.copy(), change);
      }
      change.last = row;
    }
    out.startSelected(rows);
    for (Change change : changes.values()) {
      Object before = change.before == NONE ? null : values[change.before];
      Object now = rows.isRetraction(change.last) ? null : values[change.last];
      if (!Objects.equals(before, now)) {
        if (before != null) {
          out.addSelected(rows, change.before, before);
        }
        if (now != null) {
          out.addSelected(rows, change.last, now);
        }
      }
    }
    forward(out);
  }
}
