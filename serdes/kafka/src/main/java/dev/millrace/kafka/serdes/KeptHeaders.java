package dev.millrace.kafka.serdes;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesReader;
import dev.millrace.api.serde.BytesWriter;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/// Headers before the value they belong to: how many, then of each the length of its name and the
/// name, and the length of its value plus one and the value, or 0 if it has none.
final class KeptHeaders {
  private KeptHeaders() {}

  static void write(Header[] headers, BytesWriter out) {
    out.writeVarInt(headers.length);
    for (Header header : headers) {
      byte[] name = header.key().getBytes(StandardCharsets.UTF_8);
      out.writeVarInt(name.length);
      out.write(name);
      byte[] value = header.value();
      if (value == null) {
        out.writeVarInt(0);
      } else {
        out.writeVarInt(value.length + 1);
        out.write(value);
      }
    }
  }

  /// Adds the headers.
  ///
  /// @return a copy of the value after them
  static byte[] read(Bytes in, Headers to) {
    BytesReader reader = new BytesReader(in);
    int count = reader.readVarInt();
    for (int i = 0; i < count; i++) {
      String name = new String(reader.readBytes(reader.readVarInt()), StandardCharsets.UTF_8);
      int length = reader.readVarInt();
      to.add(name, length == 0 ? null : reader.readBytes(length - 1));
    }
    return reader.readBytes(reader.remaining());
  }
}
