package dev.millrace.internal.beam.state;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.SerdeException;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.beam.sdk.coders.Coder;

/// Values of Beam's coders as bytes, without copies on the way.
public final class Coding {
  private Coding() {}

  /// Appends the bytes of a value.
  public static <T> void write(Coder<T> coder, T value, BytesWriter out) {
    try {
      coder.encode(value, new Appending(out));
    } catch (IOException e) {
      throw new SerdeException(
          "%s cannot write %s: %s".formatted(coder, className(value), e.getMessage()), e);
    }
  }

  /// Returns the value that bytes stand for, from one of them on.
  public static <T> T read(Coder<T> coder, Bytes in, int from) {
    try {
      return coder.decode(new BytesInput(in, from));
    } catch (IOException e) {
      throw new SerdeException("%s cannot read %s: %s".formatted(coder, in, e.getMessage()), e);
    }
  }

  /// Returns the next value of a stream.
  public static <T> T read(Coder<T> coder, BytesInput in) {
    try {
      return coder.decode(in);
    } catch (IOException e) {
      throw new SerdeException("%s cannot read: %s".formatted(coder, e.getMessage()), e);
    }
  }

  /// Returns the bytes of a value.
  public static <T> Bytes bytes(Coder<T> coder, T value) {
    BytesWriter out = new BytesWriter(64);
    write(coder, value, out);
    return Bytes.of(out.toByteArray());
  }

  private static String className(Object value) {
    return value == null ? "null" : value.getClass().getName();
  }

  /// Appends to a writer.
  private static final class Appending extends OutputStream {
    private final BytesWriter out;

    Appending(BytesWriter out) {
      this.out = out;
    }

    @Override
    public void write(int one) {
      out.writeByte(one);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) {
      out.write(bytes, offset, length);
    }
  }
}
