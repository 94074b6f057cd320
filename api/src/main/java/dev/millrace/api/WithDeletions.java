package dev.millrace.api;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.RecordHeaders;
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
  public Serde<Optional<V>> forTopic(String topic, boolean key) {
    return new WithDeletions<>(present.forTopic(topic, key));
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
    present.write(present(value), out);
  }

  /// A view is copied: who holds the optional value does not see that there is one in it.
  @SuppressWarnings({"unchecked", "ReferenceEquality"}) // a copy; the same memory
  private static <V> V own(V value, Bytes in) {
    return value instanceof Bytes bytes && bytes.array() == in.array() ? (V) bytes.copy() : value;
  }

  private static <V> V present(Optional<V> value) {
    return value.orElseThrow(
        () -> new SerdeException("An empty value is a record without a value, and has no bytes."));
  }

  @Override
  public boolean usesHeaders() {
    return present.usesHeaders();
  }

  @Override
  public void write(Optional<V> value, RecordHeaders headers, BytesWriter out) {
    present.write(present(value), headers, out);
  }

  @Override
  public Optional<V> read(Bytes in, RecordHeaders headers) {
    return Optional.of(own(present.read(in, headers), in));
  }

  @Override
  public Optional<V> read(Bytes in) {
    return Optional.of(own(present.read(in), in));
  }
}
