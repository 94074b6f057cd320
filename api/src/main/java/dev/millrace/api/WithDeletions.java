package dev.millrace.api;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.api.serde.Serdes;
import java.util.Optional;

/// The values of a topic whose records may have none. It reads and writes those that are there, in
/// the topic's own format; an empty one is a record without a value, of which the engine sees to.
record WithDeletions<V>(Serde<V> present) implements Serde<Optional<V>> {

  /// The serde of the same values where each has bytes.
  Serde<Optional<V>> kept() {
    return Serdes.optional(present);
  }

  @Override
  public String id() {
    return present.id();
  }

  @Override
  public String schema() {
    return present.schema();
  }

  @Override
  public boolean canRead(String writtenSchema) {
    return present.canRead(writtenSchema);
  }

  @Override
  public void write(Optional<V> value, BytesWriter out) {
    present.write(
        value.orElseThrow(() -> new SerdeException("An empty value is a record without a value.")),
        out);
  }

  @Override
  public Optional<V> read(Bytes in) {
    return Optional.of(present.read(in));
  }
}
