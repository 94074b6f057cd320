package dev.millrace.testkit.job;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.Serdes;

/// Texts in a format of another name, with the same bytes: what is kept in one says nothing to the
/// other as far as anybody knows.
record OtherText() implements Serde<String> {
  @Override
  public String id() {
    return "other-text";
  }

  @Override
  public void write(String value, BytesWriter out) {
    Serdes.string().write(value, out);
  }

  @Override
  public String read(Bytes in) {
    return Serdes.string().read(in);
  }

  @Override
  public boolean canonical() {
    return Serdes.string().canonical();
  }

  @Override
  public boolean ordered() {
    return Serdes.string().ordered();
  }

  @Override
  public boolean immutable() {
    return Serdes.string().immutable();
  }
}
