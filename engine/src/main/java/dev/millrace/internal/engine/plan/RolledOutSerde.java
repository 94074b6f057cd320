package dev.millrace.internal.engine.plan;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.internal.state.SwitchingSerde;
import java.util.Optional;

/// Writes values as an older version reads them until the change is finalized, and then as its own
/// version does; reads both.
///
/// @param now the serde of this version
/// @param older that serde, [writing as][Serde#writingAs] the older one
record RolledOutSerde<T>(Serde<T> now, Serde<T> older, Finalization finalization)
    implements SwitchingSerde<T> {
  @Override
  public Serde<T> later() {
    return now;
  }

  @Override
  public String id() {
    return now.id();
  }

  @Override
  public String schema() {
    return older.schema();
  }

  @Override
  public boolean canRead(String writtenSchema) {
    return now.canRead(writtenSchema);
  }

  @Override
  public Optional<Serde<T>> writingAs(String olderSchema) {
    return now.writingAs(olderSchema);
  }

  @Override
  public void write(T value, BytesWriter out) {
    (finalization.isDone() ? now : older).write(value, out);
  }

  @Override
  public T read(Bytes in) {
    return now.read(in);
  }

  @Override
  public boolean canonical() {
    return now.canonical();
  }

  @Override
  public boolean ordered() {
    return now.ordered();
  }

  @Override
  public int fixedBytes() {
    return now.fixedBytes();
  }

  @Override
  public boolean immutable() {
    return now.immutable();
  }
}
