package dev.millrace.api.serde;

import java.util.Arrays;

/// A scalar in a key: its raw form. Texts and bytes, which do not show their end, are ended by a
/// byte 00; in them 00 becomes 01 01 and 01 becomes 01 02, which keeps the order.
final class ScalarKey<T> extends KeyCodec<T> {
  private static final int END = 0;
  private static final int ESCAPE = 1;

  private final Scalar<T> scalar;

  ScalarKey(Scalar<T> scalar) {
    this.scalar = scalar;
  }

  @Override
  String id() {
    return scalar.id();
  }

  @Override
  Schema.Type schema(Schema.Builder builder) {
    return scalar.rawSchema(builder);
  }

  @Override
  void write(T value, BytesWriter out) {
    int start = out.length();
    scalar.writeRaw(value, out);
    if (!scalar.delimited()) {
      escape(out, start);
      out.writeByte(END);
    }
  }

  private static void escape(BytesWriter out, int start) {
    byte[] array = out.array();
    int length = out.length();
    int more = 0;
    for (int i = start; i < length; i++) {
      if (array[i] >= 0 && array[i] <= ESCAPE) {
        more++;
      }
    }
    if (more > 0) {
      int to = out.reserve(more) + more;
      array = out.array();
      for (int from = length - 1; from >= start; from--) {
        byte value = array[from];
        if (value >= 0 && value <= ESCAPE) {
          array[--to] = (byte) (value + 1);
          array[--to] = ESCAPE;
        } else {
          array[--to] = value;
        }
      }
    }
  }

  @Override
  T read(BytesReader in) {
    if (scalar.delimited()) {
      return scalar.readRaw(in);
    }
    byte[] array = in.array();
    int from = in.index();
    int limit = from + in.remaining();
    int end = from;
    boolean escaped = false;
    while (end < limit && array[end] != END) {
      escaped |= array[end++] == ESCAPE;
    }
    if (end == limit) {
      throw new SerdeException("no end of a " + scalar.code().text + " in a key");
    }
    T value;
    if (!escaped) {
      int outer = in.enter(end - from);
      value = scalar.readRaw(in);
      in.leave(outer);
    } else {
      value = scalar.readRaw(new BytesReader(Bytes.of(unescaped(in, end - from))));
    }
    in.skip(1);
    return value;
  }

  private byte[] unescaped(BytesReader in, int length) {
    int outer = in.enter(length);
    byte[] content = new byte[length];
    int count = 0;
    while (in.remaining() > 0) {
      byte value = in.readByte();
      if (value == ESCAPE) {
        value = (byte) (in.readByte() - 1);
        if (value < 0 || value > ESCAPE) {
          throw new SerdeException("malformed escape of a " + scalar.code().text + " in a key");
        }
      }
      content[count++] = value;
    }
    in.leave(outer);
    return Arrays.copyOf(content, count);
  }
}
