package dev.millrace.internal.engine.operators;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;

/// Several values in one: numbers, and values of serdes with four bytes of length before them.
public final class Frames {
  private Frames() {}

  public static void write(Serde<Object> serde, Object value, BytesWriter out) {
    int start = out.reserve(Integer.BYTES);
    serde.write(value, out);
    int length = out.length() - start - Integer.BYTES;
    byte[] array = out.array();
    for (int i = 0; i < Integer.BYTES; i++) {
      array[start + i] = (byte) (length >>> (24 - 8 * i));
    }
  }

  public static void write(Bytes value, BytesWriter out) {
    out.writeInt(value.length());
    out.write(value);
  }

  /// Writes values that were written one after the other, as another serde writes them.
  ///
  /// @param values the serde that wrote them
  /// @param as that serde, or one that writes what an older version of it reads
  public static void copy(Bytes frames, Serde<Object> values, Serde<Object> as, BytesWriter out) {
    if (values.equals(as)) {
      out.write(frames);
      return;
    }
    Reader in = new Reader(frames);
    while (!in.atEnd()) {
      write(as, values.read(in.frame()), out);
    }
  }

  /// Reads a value of which the last bytes are all there is; it stays as it is when these change.
  ///
  /// @param start how many bytes are before it
  public static Object last(Serde<Object> serde, Bytes in, int start) {
    Object value =
        serde.read(new Bytes().set(in.array(), in.offset() + start, in.length() - start));
    return Opened.kept(value);
  }

  /// Reads what was written, in order.
  public static final class Reader {
    private final Bytes in;
    private int at;

    public Reader(Bytes in) {
      this.in = in;
    }

    public long readLong() {
      return ((long) readInt() << 32) | (readInt() & 0xFFFF_FFFFL);
    }

    public int readInt() {
      require(Integer.BYTES);
      int value = 0;
      for (int i = 0; i < Integer.BYTES; i++) {
        value = (value << 8) | (in.get(at++) & 0xFF);
      }
      return value;
    }

    /// A view over the next value's bytes.
    public Bytes frame() {
      int length = readInt();
      if (length < 0) {
        throw new SerdeException("Found a value of " + length + " bytes.");
      }
      require(length);
      Bytes frame = new Bytes().set(in.array(), in.offset() + at, length);
      at += length;
      return frame;
    }

    /// How many bytes were read.
    public int position() {
      return at;
    }

    /// Whether nothing is left.
    public boolean atEnd() {
      return at == in.length();
    }

    /// Checks that nothing is left.
    public void end() {
      if (at != in.length()) {
        throw new SerdeException("Found " + (in.length() - at) + " bytes after the value.");
      }
    }

    private void require(int bytes) {
      if (in.length() - at < bytes) {
        throw new SerdeException(
            "Found %d bytes where %d were expected.".formatted(in.length() - at, bytes));
      }
    }
  }
}
