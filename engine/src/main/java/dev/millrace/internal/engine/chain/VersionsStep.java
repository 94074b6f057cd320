package dev.millrace.internal.engine.chain;

import dev.millrace.internal.engine.operators.rows.Version;
import dev.millrace.internal.engine.topology.History;

/// Makes versions of a table's entries of the rows that the table is made of. A row without a value
/// is one, too: the key has none from its time on.
final class VersionsStep extends Step {
  private final History.View view;
  private final Rows out = new Rows();

  VersionsStep(String name, Place place, History.View view) {
    super(name, place);
    this.view = view;
  }

  @Override
  void apply(Rows rows) {
    Object[] values = rows.values();
    out.startMade(rows);
    for (int row = 0, size = rows.size(); row < size; row++) {
      rows.current = row;
      Object value = rows.hasValue(row) ? view.of(values[row]) : null;
      out.addMade(rows, row, new Version(value), rows.timestamp(row), true);
    }
    forward(out);
  }
}
