package dev.millrace.internal.engine.operators.rows;

import dev.millrace.api.serde.Bytes;
import dev.millrace.api.serde.BytesWriter;
import dev.millrace.api.serde.Serde;
import dev.millrace.api.serde.SerdeException;
import dev.millrace.internal.engine.operators.Frames;
import dev.millrace.internal.engine.operators.Opened;
import dev.millrace.internal.engine.operators.Schemas;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
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
  /// @param values the serde of the values
  /// @param from how many bytes of each are before them, which may be any
  /// @return whether there was one
  boolean removeFromTail(Serde<Object> values, Bytes value, int from) {
    Bytes rest = without(tail.view(new Bytes(), 0), values, value, from);
    if (rest == null) {
      return false;
    }
    tail.clear();
    tail.write(rest);
    return true;
  }

  /// A chunk without the first of its values that has these bytes; null if there is none.
  ///
  /// @param values the serde of the values
  /// @param from how many bytes of each are before them, which may be any
  static @Nullable Bytes without(Bytes chunk, Serde<Object> values, Bytes value, int from) {
    Bytes rest = without(chunk, frame -> frame, value, from);
    return rest == null ? without(chunk, frame -> anew(values, frame), value, from) : rest;
  }

  /// The bytes of a value as the serde writes them now: an older version of it may have written
  /// other ones.
  private static Bytes anew(Serde<Object> values, Bytes frame) {
    BytesWriter out = new BytesWriter(frame.length());
    values.write(values.read(frame), out);
    return out.view(new Bytes(), 0);
  }

  private static @Nullable Bytes without(
      Bytes chunk, UnaryOperator<Bytes> as, Bytes value, int from) {
    Frames.Reader in = new Frames.Reader(chunk);
    while (!in.atEnd()) {
      int start = in.position();
      Bytes found = as.apply(in.frame());
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
  /// @param kept the serde as whose they are kept
  public record Format(Serde<Object> values, Serde<Object> kept) implements Serde<Retained> {
    public Format(Serde<Object> values) {
      this(values, values);
    }

    @Override
    public String id() {
      return "retained(" + values.id() + ")";
    }

    @Override
    public String schema() {
      return Schemas.compose("retained", kept);
    }

    @Override
    public boolean canRead(String writtenSchema) {
      return Schemas.canRead(writtenSchema, "retained", values);
    }

    @Override
    public Optional<Serde<Retained>> writingAs(String olderSchema) {
      return Schemas.writingAs(
          olderSchema, "retained", List.of(values), parts -> new Format(values, parts.getFirst()));
    }

    @Override
    public void write(Retained value, BytesWriter out) {
      out.writeInt(value.chunks);
      Frames.copy(value.tail.view(new Bytes(), 0), values, kept, out);
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
  /// @param kept the serde as whose they are kept
  public record Chunk(Serde<Object> values, Serde<Object> kept) implements Serde<Bytes> {
    public Chunk(Serde<Object> values) {
      this(values, values);
    }

    @Override
    public String id() {
      return "chunk(" + values.id() + ")";
    }

    @Override
    public String schema() {
      return Schemas.compose("chunk", kept);
    }

    @Override
    public boolean canRead(String writtenSchema) {
      return Schemas.canRead(writtenSchema, "chunk", values);
    }

    @Override
    public Optional<Serde<Bytes>> writingAs(String olderSchema) {
      return Schemas.writingAs(
          olderSchema, "chunk", List.of(values), parts -> new Chunk(values, parts.getFirst()));
    }

    @Override
    public void write(Bytes value, BytesWriter out) {
      Frames.copy(value, values, kept, out);
    }

    @Override
    public Bytes read(Bytes in) {
      return in;
    }
  }
}
