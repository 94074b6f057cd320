package dev.millrace.internal.beam.state;

import java.util.function.Supplier;
import org.apache.beam.sdk.state.ReadableState;

/// Something that is read when it is asked for.
///
/// @param now reads it
record Read<T>(Supplier<T> now) implements ReadableState<T> {
  @Override
  public T read() {
    return now.get();
  }

  @Override
  public ReadableState<T> readLater() {
    return this;
  }
}
