package dev.millrace.internal.engine.operators;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import org.jspecify.annotations.Nullable;

/// Gives the store an object of its own.
///
/// A folder may change its aggregate in place, and what was emitted waits until the operator
/// returns: without a copy three updates of one key in a batch would show the last state three
/// times. The copy is what the serde reads back, so that a folder meets at its second call what it
/// would meet after a restart, such as a list that cannot be changed. An object that nobody can
/// change stands for itself.
public final class Snapshot {
  private final Serde<Object> serde;
  private final BytesWriter writer = new BytesWriter();
  private final Bytes view = new Bytes();

  /// The class of the last value that stood for itself.
  private @Nullable Class<?> unchanging;

  public Snapshot(Serde<Object> serde) {
    this.serde = serde;
  }

  public Object of(Object value) {
    Class<?> type = value.getClass();
    if (type == unchanging) {
      return value;
    }
    Unchanging those = Unchanging.of(type);
    if (those.all()) {
      unchanging = type;
    }
    if (those.is(value)) {
      return value;
    }
    writer.clear();
    serde.write(value, writer);
    return serde.read(writer.view(view, 0));
  }
}
