package dev.millrace.testkit.hotpath;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;

/// Counts how often it is used.
final class CountingSerde implements Serde<String> {
  long calls;

  @Override
  public String id() {
    return "counting";
  }

  @Override
  public void write(String value, BytesWriter out) {
    calls++;
    out.write(Bytes.ofUtf8(value));
  }

  @Override
  public String read(Bytes in) {
    calls++;
    return in.toUtf8();
  }

  @Override
  public boolean canonical() {
    return true;
  }
}
