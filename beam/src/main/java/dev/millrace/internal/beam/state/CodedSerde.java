package dev.millrace.internal.beam.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import org.apache.beam.sdk.coders.Coder;

/// A serde that writes what one of Beam's coders writes.
public final class CodedSerde<T> implements Serde<T> {
  private final Coder<T> coder;
  private final String id;

  /// @param id of the format: what the coder is called
  public CodedSerde(String id, Coder<T> coder) {
    this.id = id;
    this.coder = coder;
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public void write(T value, BytesWriter out) {
    Coding.write(coder, value, out);
  }

  @Override
  public T read(Bytes in) {
    return Coding.read(coder, in, 0);
  }
}
