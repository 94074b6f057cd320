package dev.millrace.internal.engine.chain;

import dev.millrace.api.Share;
import dev.millrace.api.function.Mapper;
import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.engine.topology.Node;
import org.jspecify.annotations.Nullable;

/// Keeps a share of the rows.
final class SampleStep extends Step {
  private final Share share;
  private final @Nullable Mapper<Object, Object> by;
  private final @Nullable Serde<Object> serde;
  private final BytesWriter writer = new BytesWriter(64);
  private final Bytes view = new Bytes();
  private final Rows out = new Rows();

  SampleStep(String name, Place place, Node.Sample node) {
    super(name, place);
    share = node.share();
    by = node.by();
    serde = node.serde();
  }

  @Override
  void apply(Rows rows) {
    Object[] values = rows.values();
    out.startSelected(rows);
    for (int i = 0, size = rows.size(); i < size; i++) {
      rows.current = i;
      if (share.holds(decisive(rows, i, values[i]))) {
        out.addSelected(rows, i, values[i]);
      }
    }
    forward(out);
  }

  private Bytes decisive(Rows rows, int row, Object value) {
    if (by != null && serde != null) {
      writer.clear();
      serde.write(by.map(value), writer);
      return writer.view(view, 0);
    }
    if (!rows.key(row, view)) {
      throw new IllegalArgumentException(
          "The record has no key, but it is sampled by its key. Filter it out before.");
    }
    return view;
  }
}
