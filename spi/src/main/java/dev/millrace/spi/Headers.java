package dev.millrace.spi;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.RecordHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The headers of a record as bytes, in the encoding of a Kafka record: the count, then for each
/// header the length of the key, the key, the length of the value (-1 for null) and the value;
/// counts and lengths as zig-zag variable-length numbers. No headers at all are no bytes at all.
public final class Headers {
  private Headers() {}

  /// Receives every header, in order.
  @FunctionalInterface
  public interface Visitor {
    void header(String key, byte @Nullable [] value);
  }

  /// Adds all headers, in order.
  ///
  /// @throws IllegalArgumentException if the bytes are not headers
  public static void read(Bytes encoded, RecordHeaders to) {
    visit(encoded, to::add);
  }

  /// Writes all headers, if there are any.
  public static void write(RecordHeaders headers, BytesWriter out) {
    if (!headers.isEmpty()) {
      List<RecordHeaders.Header> all = headers.all();
      begin(all.size(), out);
      all.forEach(header -> write(header.name(), header.value(), out));
    }
  }

  /// Starts a list of `count` headers; as many [#write] calls follow.
  public static void begin(int count, BytesWriter out) {
    writeZigZag(count, out);
  }

  public static void write(String key, byte @Nullable [] value, BytesWriter out) {
    byte[] keyBytes = key.getBytes(StandardCharsets.UTF_8);
    writeZigZag(keyBytes.length, out);
    out.write(keyBytes);
    if (value == null) {
      writeZigZag(-1, out);
    } else {
      writeZigZag(value.length, out);
      out.write(value);
    }
  }

  /// Returns the number of headers.
  public static int count(Bytes encoded) {
    return encoded.length() == 0 ? 0 : new Reader(encoded).next();
  }

  /// Passes every header to a visitor, in order.
  ///
  /// @throws IllegalArgumentException if the bytes are not headers
  public static void visit(Bytes encoded, Visitor visitor) {
    if (encoded.length() == 0) {
      return;
    }
    Reader reader = new Reader(encoded);
    int count = reader.next();
    for (int i = 0; i < count; i++) {
      byte[] key = reader.bytes(reader.next());
      int valueLength = reader.next();
      visitor.header(
          new String(key, StandardCharsets.UTF_8),
          valueLength < 0 ? null : reader.bytes(valueLength));
    }
  }

  private static void writeZigZag(int value, BytesWriter out) {
    out.writeVarInt((value << 1) ^ (value >> 31));
  }

  private static final class Reader {
    private final Bytes encoded;
    private int at;

    Reader(Bytes encoded) {
      this.encoded = encoded;
    }

    int next() {
      int raw = 0;
      for (int shift = 0; shift < 35; shift += 7) {
        if (at >= encoded.length()) {
          throw malformed();
        }
        byte b = encoded.get(at++);
        raw |= (b & 0x7F) << shift;
        if (b >= 0) {
          return (raw >>> 1) ^ -(raw & 1);
        }
      }
      throw malformed();
    }

    byte[] bytes(int length) {
      if (length < 0 || length > encoded.length() - at) {
        throw malformed();
      }
      byte[] bytes = new byte[length];
      System.arraycopy(encoded.array(), encoded.offset() + at, bytes, 0, length);
      at += length;
      return bytes;
    }

    private IllegalArgumentException malformed() {
      return new IllegalArgumentException("These bytes are not record headers: " + encoded);
    }
  }
}
