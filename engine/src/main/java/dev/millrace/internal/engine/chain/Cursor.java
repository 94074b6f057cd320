package dev.millrace.internal.engine.chain;

import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.operators.RowCursor;
import org.jspecify.annotations.Nullable;

/// Goes through rows as an operator reads them.
final class Cursor extends RowRecord implements RowCursor {
  private @Nullable Object value;

  Cursor(Rows rows, @Nullable Serde<Object> keySerde) {
    super(rows, -1, keySerde);
  }

  void start(Rows newRows) {
    rows = newRows;
    row = -1;
    value = null;
  }

  @Override
  public Object value() {
    Object known = value;
    if (known == null) {
      known = Rows.given(rows.valueAlone(row));
      rows.current = row;
      value = known;
    }
    return known;
  }

  @Override
  public boolean hasOrigin() {
    return rows.batch() != null && rows.origin(row) >= 0;
  }

  @Override
  public boolean hasValue() {
    return rows.hasValue(row);
  }

  @Override
  public void rewind() {
    row = -1;
    value = null;
    rows.current = 0;
  }

  @Override
  public boolean next() {
    if (row + 1 >= rows.size()) {
      // What fails now may be a failure of any of them.
      rows.current = rows.size();
      return false;
    }
    rows.current = ++row;
    value = null;
    if (rows.isNull(row)) {
      Rows.given(null);
    }
    return true;
  }
}
