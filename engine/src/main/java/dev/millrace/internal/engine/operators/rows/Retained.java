package dev.millrace.internal.engine.operators.rows;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.internal.engine.operators.Frames;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.Schemas;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The values of a key and window that came last, encoded one behind the other, and how many chunks
/// of earlier ones lie in a store of their own. Values are appended in place.
public final class Retained {
  private final BytesWriter tail = new BytesWriter(64);
  private int chunks;

  int chunks() {
    return chunks;
  }

  int tailBytes() {
    return tail.length();
  }

  public void add(Serde<Object> values, Object value) {
    Frames.write(values, value, tail);
  }

  /// Takes the values that came last out, as the next chunk.
  public Bytes takeChunk() {
    Bytes chunk = Bytes.of(tail.toByteArray());
    tail.clear();
    chunks++;
    return chunk;
  }

  /// Says that the last chunk is gone.
  void dropChunk() {
    chunks--;
  }

  /// Takes the first of the values that came last out that has these bytes.
  ///
  /// @param from how many bytes of each are before them, which may be any
  /// @return whether there was one
  boolean removeFromTail(Bytes value, int from) {
    Bytes rest = without(tail.view(new Bytes(), 0), value, from);
    if (rest == null) {
      return false;
    }
    tail.clear();
    tail.write(rest);
    return true;
  }

  /// A chunk without the first of its values that has these bytes; null if there is none.
  ///
  /// @param from how many bytes of each are before them, which may be any
  static @Nullable Bytes without(Bytes chunk, Bytes value, int from) {
    Frames.Reader in = new Frames.Reader(chunk);
    while (!in.atEnd()) {
      int start = in.position();
      Bytes found = in.frame();
      if (found.set(found.array(), found.offset() + from, found.length() - from).equals(value)) {
        int end = in.position();
        BytesWriter rest = new BytesWriter(chunk.length());
        rest.write(chunk.array(), chunk.offset(), start);
        rest.write(chunk.array(), chunk.offset() + end, chunk.length() - end);
        return Bytes.of(rest.toByteArray());
      }
    }
    return null;
  }

  /// Adds the values that came last to a list.
  void readTail(Serde<Object> values, List<Object> into) {
    read(tail.view(new Bytes(), 0), values, into);
  }

  /// Adds the values of a chunk to a list.
  static void read(Bytes chunk, Serde<Object> values, List<Object> into) {
    Frames.Reader in = new Frames.Reader(chunk);
    while (!in.atEnd()) {
      Object value = values.read(in.frame());
      into.add(Opened.kept(value));
    }
  }

  /// How it is kept: the number of chunks, and the values as they are.
  ///
  /// @param values the serde that wrote them
  public record Format(Serde<Object> values) implements Serde<Retained> {
    @Override
    public String id() {
      return "retained(" + values.id() + ")";
    }

    @Override
    public String schema() {
      return Schemas.compose("retained", values);
    }

    @Override
    public boolean canRead(String writtenSchema) {
      return Schemas.canRead(writtenSchema, "retained", values);
    }

    @Override
    public void write(Retained value, BytesWriter out) {
      out.writeInt(value.chunks);
      out.write(value.tail.array(), 0, value.tail.length());
    }

    @Override
    public Retained read(Bytes in) {
      Frames.Reader reader = new Frames.Reader(in);
      Retained read = new Retained();
      read.chunks = reader.readInt();
      if (read.chunks < 0) {
        throw new SerdeException("Found " + read.chunks + " chunks of values.");
      }
      read.tail.write(in.array(), in.offset() + Integer.BYTES, in.length() - Integer.BYTES);
      return read;
    }
  }

  /// A chunk as it is kept: values of one serde, one behind the other.
  ///
  /// @param values the serde that wrote them
  public record Chunk(Serde<Object> values) implements Serde<Bytes> {
    @Override
    public String id() {
      return "chunk(" + values.id() + ")";
    }

    @Override
    public String schema() {
      return Schemas.compose("chunk", values);
    }

    @Override
    public boolean canRead(String writtenSchema) {
      return Schemas.canRead(writtenSchema, "chunk", values);
    }

    @Override
    public void write(Bytes value, BytesWriter out) {
      out.write(value);
    }

    @Override
    public Bytes read(Bytes in) {
      return in;
    }
  }
}
